import { expect, it } from 'vitest';
import { routeOf } from './route.ts';

it.each([
  ['/v1beta/models/qwen3-coder:30b:streamGenerateContent', 'qwen3-coder:30b', true],
  ['/v1beta/models/Qwen/Qwen3-Coder-30B:generateContent', 'Qwen/Qwen3-Coder-30B', false],
  ['/v1beta/models/hf.co/unsloth/Qwen3-GGUF:Q4_K_M:generateContent', 'hf.co/unsloth/Qwen3-GGUF:Q4_K_M', false],
])('reads the model in the path of Gemini: %s', (path, model, stream) => {
  expect(routeOf(path)).toMatchObject({ provider: { format: 'gemini' }, address: { model, stream } });
});

it.each([
  ['/v1beta/models/gemini-3-pro:generateContent', 'gemini-3-pro'],
  ['/v1beta/models/Qwen%2FQwen3:generateContent', 'Qwen/Qwen3'],
  ['/v1beta/tunedModels/a%20b:generateContent', 'tunedModels/a b'],
  ['/v1/projects/p/locations/l/publishers/google/models/gemini-3-pro:generateContent', 'gemini-3-pro'],
])('guard: reads the model in the path of Gemini: %s', (path, model) => {
  expect(routeOf(path)?.address.model).toBe(model);
});

it.each([
  '/v1beta/models',
  '/v1beta/models/gemini-3-pro',
  '/v1beta/models/gemini-3-pro:countTokens',
  '/v1beta/models/:generateContent',
])('guard: has no route for %s', (path) => {
  expect(routeOf(path)).toBeUndefined();
});
