"""Counts its visitors in PostgreSQL and in Redis, at the addresses that Paddock gives it. What it counted outlives it."""

import json
import os
import signal
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import psycopg
import redis

PORT = int(os.environ.get("PORT", "8080"))
DATABASE_URL = os.environ.get("DATABASE_URL", "")
REDIS_URL = os.environ.get("REDIS_URL", "")
WAIT_SECONDS = 5

TABLE = "create table if not exists counters (name text primary key, value bigint not null)"
COUNT = """insert into counters (name, value) values ('visits', 1)
    on conflict (name) do update set value = counters.value + 1 returning value"""

store = redis.Redis.from_url(REDIS_URL, socket_timeout=WAIT_SECONDS, socket_connect_timeout=WAIT_SECONDS) if REDIS_URL else None


def count_in_postgres() -> int | None:
    """One connection for each visit: there is none that could have broken in between."""
    if not DATABASE_URL:
        return None
    with psycopg.connect(DATABASE_URL, connect_timeout=WAIT_SECONDS, autocommit=True) as connection:
        try:
            row = connection.execute(COUNT).fetchone()
        except psycopg.errors.UndefinedTable:
            connection.execute(TABLE)
            row = connection.execute(COUNT).fetchone()
        return row[0]


def count_in_redis() -> int | None:
    return store.incr("visits") if store else None


class Counter(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        path = self.path.split("?")[0]
        if path == "/health":  # asked at each start: who asks there is no visitor
            return self.answer(200, {"status": "well"})
        if path != "/":
            return self.answer(404, {"error": "Not found"})
        try:
            self.answer(200, {"postgresql": count_in_postgres(), "redis": count_in_redis()})
        except (psycopg.Error, redis.RedisError) as error:
            print(f"{type(error).__name__}: {error}", flush=True)
            self.answer(503, {"error": str(error)})

    def answer(self, status: int, body: dict) -> None:
        content = (json.dumps(body) + "\n").encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: object) -> None:
        """Visits are not worth a line each."""


if __name__ == "__main__":
    server = ThreadingHTTPServer(("", PORT), Counter)
    # `shutdown` waits for the loop, which this very thread runs.
    signal.signal(signal.SIGTERM, lambda *_: threading.Thread(target=server.shutdown).start())
    print(f"Counter agent listens on port {PORT}", flush=True)
    if not DATABASE_URL and not REDIS_URL:
        print("It has no databases. Deploy it with managed ones.", flush=True)
    server.serve_forever()
