import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeAll, expect, it } from 'vitest';
import { buildPage } from '../../scripts/build-page.ts';

let folder = '';
beforeAll(async () => {
  folder = await buildPage();
});

const read = (name: string): string => readFileSync(join(folder, name), 'utf8');
const packed = (text: string): number => gzipSync(text).length;

it('loads less than 100 KB, compressed; the core loads on demand', () => {
  const html = read('index.html');
  const named = [...html.matchAll(/(?:src|href)="\/inspector\/([^"]+)"/g)].map(([, name = '']) => name);
  expect(named.length).toBeGreaterThanOrEqual(3);
  const first = [html, ...named.map(read)].reduce((sum, text) => sum + packed(text), 0);
  expect(first).toBeLessThan(100 * 1024);
  const later = readdirSync(join(folder, 'assets')).filter((name) => !named.includes(`assets/${name}`));
  expect(later.some((name) => name.startsWith('try-view'))).toBe(true);
});

it('contains no inline code, no code from text and no other host', () => {
  const html = read('index.html');
  expect(html).not.toMatch(/<style|\sstyle=|\son\w+=|<script(?![^>]*\ssrc=)/i);
  const files = readdirSync(join(folder, 'assets')).map((name) => [name, read(`assets/${name}`)] as const);
  for (const [name, text] of files) {
    // A method may be called `eval`; the browser's is called without anything before it.
    const made = [...text.matchAll(/\bnew Function\b|[^.\w}]eval\(/g)].map(String);
    expect({ name, made }).toEqual({ name, made: [] });
    const hosts = [...text.matchAll(/https?:\/\/[\w.-]+/g)].map(([host]) => host);
    // Names of schema drafts, of the SVG namespace and in examples are names, which nobody asks.
    expect(hosts.filter((host) => !/json-schema\.org|www\.w3\.org|example\.com/.test(host))).toEqual([]);
  }
});
