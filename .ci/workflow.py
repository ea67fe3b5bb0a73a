"""Checks what only the public host can run: that its workflow is one, and names all jobs of `.ci/deep`."""

import subprocess
import sys

import yaml

with open(".github/workflows/ci.yml", encoding="utf-8") as file:
    jobs = yaml.safe_load(file)["jobs"]
for name, job in jobs.items():
    assert {"runs-on", "timeout-minutes", "steps"} <= job.keys(), name
    for step in job["steps"]:
        assert ("run" in step) != ("uses" in step), (name, step)
        # The host puts these in before bash reads the rest.
        script = step.get("run", "").replace("${{", "").replace("}}", "")
        subprocess.run(["bash", "-n", "-c", script], check=True)
listed = subprocess.run(["bash", ".ci/deep", "--list"], check=True, capture_output=True, text=True).stdout.split()
if listed != jobs["deep"]["strategy"]["matrix"]["job"]:
    sys.exit(f"the workflow's deep jobs are not those of .ci/deep: {listed}")
