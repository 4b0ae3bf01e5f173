#!/usr/bin/env node
// Only uses syntax of old Node versions, so that it can report an unsupported one. Everything else is loaded
// afterwards.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

if (major > 22 || (major === 22 && minor >= 18)) {
  import('./cli.ts')
    .then(({ cli }) => cli(process.argv.slice(2)))
    .then((code) => {
      process.exitCode = code;
    });
} else {
  process.stderr.write(`toolmend requires Node.js 22.18 or later; this is ${process.versions.node}\n`);
  process.exitCode = 1;
}
