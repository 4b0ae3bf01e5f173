import { getDefaultEnvironment } from '@modelcontextprotocol/client/stdio';

/** What a program needs to find its way beside what the SDK passes on; none of it is a secret. */
const more = ['LANG', 'LANGUAGE', 'LC_ALL', 'LC_CTYPE', 'TZ', 'TMPDIR'];

/** The environment of a server's process: a short list of ours, and what is configured for it. Never all of ours. */
export function childEnvironment(own: Readonly<Record<string, string>> = {}): Record<string, string> {
  const passed = more.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...getDefaultEnvironment(), ...Object.fromEntries(passed), ...own };
}
