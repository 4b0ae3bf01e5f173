/** A semicolon, or a comma of another script, after text without quotes: it may end the field or belong to the text. */
import { describe, expect, it } from 'vitest';
import { closed, mendWith, string } from './mend-with.ts';

const file = closed({ path: string, content: string });
const refused = (text: string) => expect(mendWith(file, text)).toMatchObject({ status: 'invalid' });

describe.each(['No', 'a.txt', 'do it', 'src/a.txt', '2026-11-18', 'café', 'see issue #5'])('%s', (word) => {
  it.each([';', '；', '،', '؛', '﹔', '､', ' ;', ';;'])('is refused with %j before the closer', (sign) => {
    refused(`{"path": "a", "content": ${word}${sign}}`);
    refused(`{"content": ${word}${sign}}`);
  });

  it.each([';', '；'])('is refused with %j before a comma or a comment', (sign) => {
    refused(`{"content": ${word}${sign}, "path": "a"}`);
    refused(`{"path": "a", "content": ${word}${sign} /* done */}`);
  });
});

// These end it, so that only a single word was read without them.
it.each(['、', '，', '、 ', '，\n'])('a single word is refused with %j before the closer', (sign) => {
  refused(`{"path": "a", "content": a.txt${sign}}`);
});

it.each([
  ['{"path": "a", "content": No,}', 'No'],
  ['{"path": "a", "content": a.txt}', 'a.txt'],
  ['{"content": a.txt; "path": "a"}', 'a.txt'],
  ['{"content": a.txt， "path": "a"}', 'a.txt'],
  ['{"path": "a", "content": a;b}', 'a;b'],
  ['{"path": "a", "content": &amp;}', '&amp;'],
  ['{"path": "a", "content": Fish &#38;}', 'Fish &#38;'],
  ['{"path": "a", "content": "No;"}', 'No;'],
])('guard: %s has one reading', (text, content) => {
  expect(mendWith(file, text)).toMatchObject({ input: { path: 'a', content } });
});
