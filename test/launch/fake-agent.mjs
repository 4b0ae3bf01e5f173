#!/usr/bin/env node
// A coding agent for tests. Reports what it was started with in the file REPORT, sends two requests to the proxy as the
// agent of its name would, and exits as FAKE_AGENT says: a code, or `wait` for a signal.
import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

const { env, argv } = process;
const args = argv.slice(2);
const everything = [...Object.values(env), ...args].join('\n');
const folder = /[^\s"=]*toolmend-launch-\w+/.exec(everything)?.[0];
const files = folder ? filesIn(folder) : {};
const settings = [everything, ...Object.values(files)].join('\n');
const url = /http:\/\/127\.0\.0\.1:\d+/.exec(settings)?.[0];
const variables = [
  'ANTHROPIC_AUTH_TOKEN',
  'TOOLMEND_TOKEN',
  'GEMINI_API_KEY',
  'OPENAI_API_KEY',
  'COPILOT_PROVIDER_API_KEY',
];
const token = variables.map((name) => env[name]).find(Boolean) ?? /"apiKey":\s*"([\w-]+)"/.exec(settings)?.[1];
const report = { program: basename(argv[1]), args, env, cwd: process.cwd(), folder, files, url, token, replies: [] };
// A test may read the file at any time.
const write = (more = {}) => {
  writeFileSync(`${env.REPORT}.new`, JSON.stringify({ ...report, ...more }));
  renameSync(`${env.REPORT}.new`, env.REPORT);
};

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
  process.on(signal, () => {
    if (env.FAKE_IGNORES === signal) return;
    write({ signal });
    process.exit(3);
  });

if (env.FAKE_AGENT === 'wait') {
  write();
  setInterval(() => {}, 1000);
} else if (env.FAKE_AGENT === 'kill') {
  process.kill(process.pid, 'SIGKILL');
} else {
  for (const last of [false, true]) report.replies.push(await turn(last));
  write();
  if (env.FAKE_INPUT) process.stdout.write('agent output');
  if (env.FAKE_INPUT) for await (const chunk of process.stdin) process.stdout.write(String(chunk).toUpperCase());
  process.exitCode = Number(env.FAKE_AGENT ?? 0);
}

/** A request with a tool, in the API format of the agent; the last one has a result. */
async function turn(last) {
  const schema = { type: 'object', properties: { command: { type: 'string' }, limit: { type: 'integer' } } };
  const { program } = report;
  const key = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const model = env.FAKE_MODEL ?? /qwen[\w:.-]*/.exec(settings)?.[0];
  const [path, body] =
    program === 'claude'
      ? [
          '/v1/messages',
          {
            ...{ model, max_tokens: 100, tools: [{ name: 'bash', input_schema: schema }] },
            messages: [
              { role: 'user', content: 'Go on' },
              ...(last
                ? [
                    {
                      role: 'assistant',
                      content: [{ type: 'tool_use', id: 't1', name: 'bash', input: { command: 'ls' } }],
                    },
                    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: 'a.txt' }] },
                  ]
                : []),
            ],
          },
        ]
      : [
          '/v1/chat/completions',
          {
            ...{ model, tools: [{ type: 'function', function: { name: 'bash', parameters: schema } }] },
            messages: [
              { role: 'user', content: 'Go on' },
              ...(last ? [{ role: 'tool', tool_call_id: 'c', content: 'a' }] : []),
            ],
          },
        ];
  const response = await fetch(`${url}${path}`, { method: 'POST', headers: key, body: JSON.stringify(body) });
  return { status: response.status, body: await response.json() };
}

function filesIn(place, below = '') {
  return Object.assign(
    {},
    ...readdirSync(join(place, below), { withFileTypes: true }).map((entry) => {
      const name = join(below, entry.name);
      if (entry.isDirectory()) return filesIn(place, name);
      return { [name]: entry.isSymbolicLink() ? '(link)' : readFileSync(join(place, name), 'utf8') };
    }),
  );
}
