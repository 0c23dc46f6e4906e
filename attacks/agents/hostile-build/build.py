"""What a hostile install script would do, as a build command; prints what each attempt got."""

import json
import os
import socket
import subprocess
import sys

os.environ.setdefault("PORT", "8080")
import main_probes

asked = json.load(open("targets.json"))


def dial(host, port):
    with socket.create_connection((host, port), timeout=3) as connection:
        return connection.getpeername()


def found(command):
    return subprocess.run(["sh", "-c", command], capture_output=True, text=True).stdout.strip()[:100] or "nothing"


results = {name: probe() for name, probe in main_probes.PROBES.items()}
for host, port in asked["targets"]:
    results[f"dial {host}:{port}"] = main_probes.attempt(lambda: dial(host, port))
results["environments"] = found("cat /proc/[0-9]*/environ 2>/dev/null | tr '\\0' '\\n' | grep -E 'CANAR[Y]_|PADDOCK_(DATA|SECRET)|postgres://'")
results["the neighbour's files"] = found(f"ls {asked['folder']} 2>/dev/null")
results["places outside"] = found("for d in / /usr /etc /opt /var /opt/paddock /proc/sys; do touch $d/x 2>/dev/null && echo $d; done")
print("PROBES", json.dumps(results))

for start in (["setsid", "sh", "-c", f"sleep 1000; : {asked['word']}"], ["sh", "-c", f"(setsid sh -c 'sleep 1000; : {asked['word']}' &) &"]):
    subprocess.Popen(start, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
print("DAEMONS 2")

started = []
try:
    for _ in range(3000):
        started.append(subprocess.Popen(["sleep", "1000"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
    outcome = "never refused"
except OSError:
    outcome = f"refused after {len(started)}"
for child in started:
    child.kill()
for child in started:
    child.wait()
hog = subprocess.run([sys.executable, "-c", "kept = [bytearray(b'x' * 100_000_000) for _ in range(60)]"], stderr=subprocess.DEVNULL)
print("BOMBS", outcome + ",", "memory ended" if hog.returncode != 0 else "memory was given", flush=True)
