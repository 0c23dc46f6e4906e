-- Each request is a POST of 2 kB of JSON.
wrk.method = "POST"
wrk.headers["Content-Type"] = "application/json"
wrk.body = '{"question":"' .. string.rep("x", 2033) .. '"}'
