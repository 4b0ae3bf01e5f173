import { describe, expect, it } from 'vitest';
import { displayUrl, endpoint } from './endpoint.ts';

describe('where a request goes', () => {
  it.each([
    ['https://a.example/v1', '/chat/completions', 'https://a.example/v1/chat/completions'],
    ['https://a.example/v1/', '/chat/completions', 'https://a.example/v1/chat/completions'],
    ['https://a.example', '/v1/messages', 'https://a.example/v1/messages'],
    ['https://a.example/v1', '/v1/messages', 'https://a.example/v1/messages'],
    [
      'https://a.example/proxy?version=2',
      '/v1beta/models/m:stream?alt=sse',
      'https://a.example/proxy/v1beta/models/m:stream?version=2&alt=sse',
    ],
  ])('%s and %s', (base, path, url) => {
    expect(endpoint(new URL(base), path).href).toBe(url);
  });

  it('is shown without what may be secret', () => {
    expect(displayUrl(new URL('https://me:secret@a.example/v1?key=secret'))).toBe('https://a.example/v1');
  });
});
