-- Each request is a POST of 2 kB of JSON as agents get it, with personal data in it.
wrk.method = "POST"
wrk.headers["Content-Type"] = "application/json"
local words = string.rep("Please look at the order from last week and tell me what became of it. ", 12)
wrk.body = '{"model":"m-1","temperature":0.2,"messages":[{"role":"system","content":"You help the customers of a shop."},'
  .. '{"role":"user","content":"' .. words .. 'My e-mail is ada.lovelace@example.com and my number is 212-555-0147. ' .. words .. '"}],'
  .. '"customer":{"email":"ada.lovelace@example.com","card":"4111 1111 1111 1111"}}'
