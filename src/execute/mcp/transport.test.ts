import { expect, it } from 'vitest';
import { childEnvironment } from './transport.ts';

it('a server sees a short list of our variables and those that are configured', () => {
  process.env.TOOLMEND_SECRET = 'secret';
  const env = childEnvironment({ TOKEN: 'its own', PATH: '/elsewhere' });
  delete process.env.TOOLMEND_SECRET;
  expect(env).toMatchObject({ TOKEN: 'its own', PATH: '/elsewhere' });
  const ours = ['HOME', 'LOGNAME', 'SHELL', 'TERM', 'USER', 'LANG', 'LANGUAGE', 'LC_ALL', 'LC_CTYPE', 'TZ', 'TMPDIR'];
  expect(Object.keys(env).filter((name) => ![...ours, 'TOKEN', 'PATH'].includes(name))).toEqual([]);
});
