import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { familyOf, freePort, program, startProcess, until, versionOf } from '../measure.ts';

export interface ProxyOptions {
  /** For streams and WebSockets: the agent's output is forwarded at once, and connections may be upgraded. */
  isLive?: boolean;
}

const upgrading = 'proxy_buffering off; proxy_set_header Upgrade $http_upgrade; proxy_set_header Connection $connection_upgrade;';

/** nginx with one worker as a proxy to the port, with a JSON access log and kept connections to the agent. */
export async function startNginx(folder: string, upstream: number, { isLive = false }: ProxyOptions = {}) {
  const nginx = program('nginx', 'nginx-light');
  const port = await freePort();
  const fields = '"at":"$time_iso8601","host":"$host","method":"$request_method","uri":"$request_uri","status":$status';
  writeFileSync(
    join(folder, 'nginx.conf'),
    `daemon off; worker_processes 1; pid ${folder}/nginx.pid; error_log ${folder}/nginx.error.log;
worker_rlimit_nofile 16000; events { worker_connections 16000; }
http {
  log_format json escape=json '{${fields},"bytes":$bytes_sent,"seconds":$request_time,"upstream_seconds":"$upstream_response_time","id":"$request_id"}';
  access_log ${folder}/nginx.access.log json buffer=64k flush=1s;
  client_body_temp_path ${folder}/nb; proxy_temp_path ${folder}/np; fastcgi_temp_path ${folder}/nf; uwsgi_temp_path ${folder}/nu; scgi_temp_path ${folder}/ns;
  keepalive_requests 1000000;
  map $http_upgrade $connection_upgrade { default upgrade; '' ''; }
  upstream agent { server 127.0.0.1:${upstream}; keepalive 64; keepalive_requests 1000000; }
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://agent; proxy_http_version 1.1; ${isLive ? upgrading : 'proxy_set_header Connection "";'} proxy_set_header Host $host;
      proxy_set_header X-Forwarded-For $remote_addr; proxy_set_header X-Forwarded-Proto $scheme; proxy_set_header X-Request-Id $request_id;
    }
  }
}\n`,
  );
  const started = startProcess(nginx, ['-p', folder, '-c', join(folder, 'nginx.conf')]);
  await started.listens(port);
  await until('nginx has its worker', () => familyOf(started.pid).length > 1);
  return {
    ...started,
    name: versionOf('/bin/sh', '-c', `${nginx} -v 2>&1`).replace('nginx version: ', ''),
    port,
    pids: familyOf(started.pid),
  };
}
