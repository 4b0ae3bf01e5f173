/** Mistakes in the markers of a dialect and in what stands around a call. */
import type { Mistake } from '../mistake.ts';
import { everyPiece, onePiece, onPieces } from './mistake.ts';
import { type Piece, written } from './pieces.ts';

const isMarker = ({ kind }: Piece): boolean => /^(?:open|close|paramOpen|paramClose)$/.test(kind);
const isCloser = ({ kind }: Piece): boolean => kind === 'close' || kind === 'paramClose';
const isOpener = ({ kind }: Piece): boolean => kind === 'open' || kind === 'paramOpen';

/** Closers that models confuse, of this call and of other dialects. */
const otherClosers = [
  '</parameter>',
  '</value>',
  '</arg_value>',
  '</invoke>',
  '</function>',
  '</tool_call>',
  '</param>',
];

export const markerMistakes: readonly Mistake[] = [
  {
    name: 'a marker that opens lost',
    why: 'servers drop special tokens, models forget tags',
    write: onePiece(isOpener, () => ''),
  },
  {
    name: 'a closer of a parameter lost',
    why: 'models forget closing tags',
    doubtful: true,
    write: onePiece(
      ({ kind }) => kind === 'paramClose',
      () => '',
    ),
  },
  {
    name: 'the closers at the end lost',
    why: 'servers stop at a closer and drop it',
    write: onPieces((pieces, random) => {
      const closers = pieces.flatMap((piece, at) => (piece.kind === 'close' ? [at] : []));
      return closers.length === 0 ? undefined : written(pieces.slice(0, random.pick(closers)));
    }),
  },
  {
    name: 'one closer at the end lost',
    why: 'models forget closing tags',
    write: onePiece(
      ({ kind }) => kind === 'close',
      () => '',
    ),
  },
  { name: 'a closer twice', why: 'models stutter', write: onePiece(isCloser, ({ text }) => text + text) },
  {
    name: 'a closer twice on two lines',
    why: 'models stutter',
    write: onePiece(isCloser, ({ text }) => `${text}\n${text}`),
  },
  { name: 'a marker that opens twice', why: 'models stutter', write: onePiece(isOpener, ({ text }) => text + text) },
  {
    name: 'the closer of another element of the call',
    why: 'models close the wrong tag',
    doubtful: true,
    write: onePiece(
      ({ kind }) => kind === 'paramClose',
      (_, random, __, pieces) => random.pick(pieces.filter(isCloser)).text,
    ),
  },
  {
    name: 'the closer of another dialect',
    why: 'models mix the markup of templates',
    doubtful: true,
    write: onePiece(
      ({ kind }) => kind === 'paramClose',
      ({ text }, random) => random.pick(otherClosers.filter((one) => one !== text)),
    ),
  },
  {
    name: 'the closer of another dialect at the end',
    why: 'models mix the markup of templates',
    write: onePiece(
      ({ kind }) => kind === 'close',
      ({ text }, random) => random.pick(otherClosers.filter((one) => one !== text)),
    ),
  },
  {
    name: 'a parameter closed by its key',
    why: 'models write the XML that they know',
    doubtful: true,
    write: onPieces((pieces, random) => {
      const apt = pieces.flatMap((piece, at) => (piece.kind === 'paramClose' ? [at] : []));
      if (apt.length === 0) return undefined;
      const at = random.pick(apt);
      const key = /[\w-]+(?=\W*$)/.exec(
        pieces.slice(0, at).findLast(({ kind }) => kind === 'paramOpen')?.text ?? '',
      )?.[0];
      return key && written(pieces.map((piece, index) => (index === at ? { ...piece, text: `</${key}>` } : piece)));
    }),
  },
  {
    name: 'a closer at the end without its slash',
    why: 'models forget it',
    write: onePiece(
      ({ kind }) => kind === 'close',
      ({ text }) => text.replace('</', '<'),
    ),
  },
  {
    name: 'the closer of a parameter without its slash',
    why: 'models forget it',
    doubtful: true,
    write: onePiece(
      ({ kind }) => kind === 'paramClose',
      ({ text }) => text.replace('</', '<'),
    ),
  },
  {
    name: 'a closer with white space inside',
    why: 'tokenizers add blanks to tags',
    write: onePiece(isCloser, ({ text }) => text.replace(/>$/, ' >').replace('</', '< /')),
  },
  {
    name: 'a closer without its last bracket',
    why: 'stop sequences cut it',
    write: onePiece(isCloser, ({ text }) => text.replace(/[>\]]$/, '')),
  },
  {
    name: 'markers in capital letters',
    why: 'models spell tags as they know them',
    write: everyPiece(
      ({ kind }) => kind === 'close',
      ({ text }) => text.toUpperCase(),
    ),
  },
  {
    name: 'no line breaks between markers',
    why: 'models write the call on one line',
    write: everyPiece(
      ({ kind, inside }) => kind === 'space' && inside !== true,
      ({ text }) => text.replaceAll('\n', ''),
    ),
  },
  {
    name: 'line breaks between markers doubled',
    why: 'models leave lines free',
    write: onPieces((pieces) =>
      written(
        pieces.map((piece, at) =>
          piece.kind === 'space' && isMarker(pieces[at - 1] ?? piece) && isMarker(pieces[at + 1] ?? piece)
            ? { ...piece, text: piece.text.replaceAll('\n', '\n\n') }
            : piece,
        ),
      ),
    ),
  },
  {
    name: 'markers indented',
    why: 'models indent XML',
    write: onPieces((pieces) =>
      written(
        pieces.map((piece, at) =>
          at > 0 && isMarker(piece) && pieces[at - 1]?.text === '\n' ? { ...piece, text: `  ${piece.text}` } : piece,
        ),
      ),
    ),
  },
  {
    name: 'a parameter twice',
    why: 'models stutter; the same value twice says one thing',
    write: onPieces((pieces, random) => {
      const opens = pieces.flatMap((piece, at) => (piece.kind === 'paramOpen' ? [at] : []));
      if (opens.length === 0) return undefined;
      const from = random.pick(opens);
      const to = pieces.findIndex(({ kind }, at) => at > from && kind === 'paramClose') + 1;
      return written([...pieces.slice(0, to), { kind: 'space', text: '\n' }, ...pieces.slice(from)]);
    }),
  },
  {
    name: 'text before the call',
    why: 'models announce what they do',
    write: onPieces(
      (pieces, random) =>
        random.pick(['I will write it now:\n\n', 'Sure.\n', 'Done, "x" is next.\n']) + written(pieces),
    ),
  },
  {
    name: 'text after the call',
    why: 'models comment on what they did',
    write: onPieces(
      (pieces, random) => written(pieces) + random.pick(['\nThat should do it.', '\n\nDone.', '.', ' ✅']),
    ),
  },
  {
    name: 'an end token after the call',
    why: 'servers leave end tokens',
    write: onPieces((pieces, random) => written(pieces) + random.pick(['<|im_end|>', '</s>', '<|eot_id|>', '<|end|>'])),
  },
  {
    name: 'a fence around the call',
    why: 'models format code',
    write: onPieces(
      (pieces, random) => `\`\`\`${random.pick(['', 'json', 'xml', 'python'])}\n${written(pieces)}\n\`\`\``,
    ),
  },
  {
    name: 'the call cut off between tokens',
    why: 'the token limit, not reported',
    cut: true,
    write: onPieces((pieces, random) =>
      pieces.length < 3 ? undefined : written(pieces.slice(0, random.between(1, pieces.length - 1))),
    ),
  },
  {
    name: 'the call cut off inside a value',
    why: 'the token limit, not reported',
    cut: true,
    write: onPieces((pieces, random) => {
      const apt = pieces.flatMap(({ kind, text }, at) =>
        (kind === 'value' || kind === 'string') && text.length > 3 ? [at] : [],
      );
      if (apt.length === 0) return undefined;
      const at = random.pick(apt);
      const { text } = pieces[at] as Piece;
      return written(pieces.slice(0, at)) + text.slice(0, random.between(1, text.length - 1));
    }),
  },
];
