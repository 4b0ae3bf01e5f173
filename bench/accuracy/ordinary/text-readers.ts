/** The readers of calls in text, used as in their own runtimes: a known and valid call runs. */
import { readCalls } from '../../../src/dialect/read-calls.ts';
import { toolFromMcp } from '../../../src/tools/tool-from-mcp.ts';
import { Toolbox } from '../../../src/tools/toolbox.ts';
import type { Definition } from '../../../test/damage/definition.ts';
import { valid } from '../../../test/damage/valid.ts';
import type { Peers } from '../../install-peers.ts';
import type { ToolRun } from '../contestant.ts';
import { type Baml, readsUnion } from './baml-union.ts';
import type { OrdinaryAnswer } from './ordinary-answers.ts';
import { toolboxes } from './toolboxes.ts';
import { hermesCalls, llamaJsonCalls, pythonicCalls } from './vllm-style.ts';

/** Reads one response, and returns its calls, checked or not. */
type FindCalls = (answer: OrdinaryAnswer, tools: readonly Definition[]) => unknown[] | Promise<unknown[]>;

export interface TextReader {
  readonly name: string;
  readonly how: string;
  readonly packages: readonly string[];
  readonly runs: (answer: OrdinaryAnswer) => Promise<readonly ToolRun[]>;
}

/** A call that a careful runtime would run: with the exact name of a tool and valid input. */
function careful(name: string, how: string, packages: readonly string[], find: FindCalls): TextReader {
  const runs = async (answer: OrdinaryAnswer): Promise<readonly ToolRun[]> => {
    const tools: readonly Definition[] = toolboxes[answer.toolbox];
    let found: unknown[] = [];
    try {
      found = await find(answer, tools);
    } catch {
      // A reader that finds no call throws.
    }
    return found.flatMap((call) => {
      const { name: wanted, input } = call as ToolRun;
      const tool = tools.find((one) => one.name === wanted);
      return tool && valid(input, tool.inputSchema) ? [{ name: wanted, input }] : [];
    });
  };
  return { name, how, packages, runs };
}

const boxes = Object.fromEntries(
  Object.entries(toolboxes).map(([name, tools]) => [
    name,
    new Toolbox(tools.map((one: Definition) => toolFromMcp(one, { trusted: true }))),
  ]),
);

/** The text that Toolmend leaves of a response, and the calls that would run. */
export function readByToolmend({ text, toolbox, context }: OrdinaryAnswer, chunk?: number) {
  const reading = readCalls(text, boxes[toolbox], { ...(chunk && { chunk }), ...(context.length > 0 && { context }) });
  return { text: reading.text, reasoning: reading.reasoning, calls: reading.calls };
}

const objectOf = (text: unknown): unknown => (typeof text === 'string' ? JSON.parse(text) : text);

interface ToolParser {
  readonly hermesProtocol: () => ParserProtocol;
  readonly morphXmlProtocol: () => ParserProtocol;
}
interface ParserProtocol {
  parseGeneratedText(options: { text: string; tools: readonly unknown[] }): readonly Record<string, unknown>[];
}
interface ActionParser {
  parse(text: string): Promise<{ readonly tool?: string; readonly toolInput?: unknown }>;
}
type ActionParserClass = new (fields: { toolNames: readonly string[] }) => ActionParser;

const parserReader = (protocol: ParserProtocol): FindCalls => {
  const asTool = ({ name, description, inputSchema }: Definition) => ({
    type: 'function',
    name,
    description,
    inputSchema,
  });
  return ({ text }, tools) =>
    protocol
      .parseGeneratedText({ text, tools: tools.map(asTool) })
      .filter(({ type }) => type === 'tool-call')
      .map(({ toolName, input }) => ({ name: toolName, input: objectOf(input) }));
};

const actionReader =
  (Parser: ActionParserClass): FindCalls =>
  async ({ text }, tools) => {
    const action = await new Parser({ toolNames: tools.map(({ name }) => name) }).parse(text);
    return action.tool === undefined ? [] : [{ name: action.tool, input: objectOf(action.toolInput) }];
  };

/** All readers, ours first. A peer that could not be installed is skipped with the reason. */
export async function textReaders({
  missing,
  load,
}: Peers): Promise<{ readers: TextReader[]; missing: readonly string[] }> {
  const ours = async (answer: OrdinaryAnswer): Promise<readonly ToolRun[]> =>
    readByToolmend(answer).calls.flatMap((call) =>
      call.status === 'invalid' ? [] : [{ name: call.name, input: call.input }],
    );
  const readers: TextReader[] = [
    { name: 'Toolmend', how: '`readCalls()` with its defaults', packages: [], runs: ours },
    careful('vLLM-style, Hermes', 'the text between `<tool_call>` and `</tool_call>`, as JSON', [], ({ text }) =>
      hermesCalls(text),
    ),
    careful('vLLM-style, Llama JSON', 'every JSON object with a name and arguments', [], ({ text }) =>
      llamaJsonCalls(text),
    ),
    careful('vLLM-style, pythonic', 'a response that is a list of Python calls', [], ({ text }) => pythonicCalls(text)),
  ];
  const left: string[] = [];
  const peer = async (name: string, pack: string, make: () => Promise<TextReader[]>): Promise<void> => {
    const why = missing[pack];
    if (why === undefined) readers.push(...(await make()));
    else left.push(`${name}: ${why}`);
  };
  await peer('AI SDK', '@ai-sdk-tool/parser', async () => {
    const parser = await load<ToolParser>('@ai-sdk-tool/parser');
    const packages = ['@ai-sdk-tool/parser'];
    return [
      careful(
        'AI SDK, Hermes middleware',
        'parser middleware with `hermesProtocol`',
        packages,
        parserReader(parser.hermesProtocol()),
      ),
      careful(
        'AI SDK, XML middleware',
        'parser middleware with `morphXmlProtocol`',
        packages,
        parserReader(parser.morphXmlProtocol()),
      ),
    ];
  });
  await peer('LangChain', '@langchain/classic', async () => {
    const packages = ['@langchain/classic'];
    const { StructuredChatOutputParser } = await load<{ StructuredChatOutputParser: ActionParserClass }>(
      '@langchain/classic/agents',
    );
    const { ReActSingleInputOutputParser } = await load<{ ReActSingleInputOutputParser: ActionParserClass }>(
      '@langchain/classic/agents/react/output_parser',
    );
    return [
      careful(
        'LangChain, ReAct',
        '`ReActSingleInputOutputParser`',
        packages,
        actionReader(ReActSingleInputOutputParser),
      ),
      careful(
        'LangChain, structured chat',
        '`StructuredChatOutputParser`',
        packages,
        actionReader(StructuredChatOutputParser),
      ),
    ];
  });
  await peer('BAML', '@boundaryml/baml', async () => {
    const find = readsUnion(await load<Baml>('@boundaryml/baml'));
    return [
      careful(
        'BAML',
        'its parser, with a union of text and one class per tool',
        ['@boundaryml/baml'],
        ({ text }, tools) => find(text, tools),
      ),
    ];
  });
  return { readers, missing: left };
}
