import { describe, expect, it } from 'vitest';
import { cpuOf } from '../../../test/cpu-of.ts';
import { isSameWord, isSlipOf, resembles } from './similar-keys.ts';

describe('guard: resembles: within a third of its length, or one holding the other', () => {
  it.each([
    ['patern', 'pattern'],
    ['file_path', 'path'],
    ['path', 'file_path'],
    ['serach_query', 'search_query'],
    ['Limits', 'limit'],
  ])('%s resembles %s', (key, property) => expect(resembles(key, property)).toBe(true));

  it.each([
    ['explanation', 'path'],
    ['zzz', 'limit'],
    ['ab', 'xy'],
    ['', 'path'],
    ['_', 'path'],
  ])('%s does not resemble %s', (key, property) => expect(resembles(key, property)).toBe(false));

  it('F7 stays cheap on long keys', () => {
    const [key, property] = ['a'.repeat(1_000_000), 'b'.repeat(1_000_000)];
    expect(cpuOf(() => resembles(key, property))).toBeLessThan(100);
  });
});

describe('isSameWord: one edit in a word that stays the same word', () => {
  const isTypo = (key: string, property: string) => isSlipOf(key, property) && isSameWord(key, property);

  it.each([
    ['patern', 'pattern'],
    ['cnotent', 'content'],
    ['contnet', 'content'],
    ['serach_query', 'search_query'],
    ['serachQuery', 'search_query'],
    ['searchqeury', 'search_query'],
    ['seperator', 'separator'],
    ['limitt', 'limit'],
    ['activve', 'active'],
    ['is_actve', 'is_active'],
    ['isActvie', 'is_active'],
    ['inactve', 'inactive'],
    ['INCLUDE_HIDEN', 'include_hidden'],
  ])('%s is %s', (key, property) => expect(isTypo(key, property)).toBe(true));

  it.each([
    ['inactive', 'is_active'],
    ['inActive', 'isActive'],
    ['in_active', 'is_active'],
    ['inactive', 'isactive'],
    ['invalid', 'is_valid'],
    ['invisible', 'is_visible'],
    ['incomplete', 'is_complete'],
    ['illegal', 'is_legal'],
    ['irrelevant', 'is_relevant'],
    ['is_active', 'inactive'],
    ['cant_edit', 'can_edit'],
    ['cantEdit', 'canEdit'],
    ['cant_edit', 'canedit'],
    ['can_edit', 'cant_edit'],
    ['form_id', 'from_id'],
    ['mid_price', 'min_price'],
    ['ready_at', 'read_at'],
    ['included_tags', 'include_tags'],
    ['now_delay', 'no_delay'],
    ['lmit', 'limit'],
    ['vontent', 'content'],
    ['page_2', 'page_1'],
    // The last letter makes another word.
    ['payer', 'payee'],
    ['employer', 'employee'],
    ['expires', 'expired'],
    ['track', 'trace'],
    ['formal_name', 'format_name'],
    ['search_queri', 'search_query'],
  ])('%s may be something else than %s', (key, property) => expect(isTypo(key, property)).toBe(false));
});
