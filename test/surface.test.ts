import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

/** What each entry of the package exports: what stands here is a promise to users, and nothing else is exported. */
const surface: Record<string, { readonly values: readonly string[]; readonly types: readonly string[] }> = {
  'src/index.ts': {
    values: [
      'ConfigurationValidationError',
      'JsonReader',
      'Toolbox',
      'feedback',
      'mend',
      'mendValue',
      'mended',
      'readJson',
      'retryGuidance',
      'tool',
      'toolFromMcp',
    ],
    types: [
      'BadOutcome',
      'Certainty',
      'Change',
      'Checked',
      'Effect',
      'ErrorType',
      'Feedback',
      'FeedbackOptions',
      'FinishReason',
      'GoodOutcome',
      'JsonObject',
      'JsonSchema',
      'JsonValue',
      'Limits',
      'McpTool',
      'MendValueOptions',
      'MendedSchema',
      'MendedValue',
      'Outcome',
      'Path',
      'Policy',
      'Problem',
      'ProblemCode',
      'RawCall',
      'ReadOptions',
      'ReaderOptions',
      'Reading',
      'Repair',
      'RepairKind',
      'Repeat',
      'Schema',
      'SchemaObject',
      'Tool',
      'ToolContext',
      'ToolDefinition',
      'ToolMetadata',
      'ToolProperty',
      'ToolSearch',
      'ToolboxOptions',
      'ToolboxPolicy',
      'ValueSoFar',
      'ValueStream',
    ],
  },
  'src/dialect/index.ts': {
    values: ['CallReader', 'dialectOf', 'readCalls', 'renderCalls', 'renderResults', 'toolPrompt'],
    types: [
      'CallEvent',
      'CallForm',
      'CallReading',
      'Dialect',
      'Frame',
      'ReadCallsOptions',
      'RenderedResult',
      'WrittenCall',
    ],
  },
  'src/provider/index.ts': {
    values: ['WireError', 'decodeStream'],
    types: [
      'Address',
      'AssistantMessage',
      'AssistantPart',
      'CallDropped',
      'CallPart',
      'Carrying',
      'DecodeOptions',
      'DroppedCall',
      'Extra',
      'FinishReason',
      'Format',
      'Loss',
      'MediaPart',
      'Message',
      'Model',
      'OpaquePart',
      'OpaqueTool',
      'OutputForm',
      'Part',
      'PartFinished',
      'PartGrew',
      'PartStarted',
      'Provider',
      'Question',
      'RawCall',
      'ReasoningPart',
      'ReasoningSetting',
      'RefusalPart',
      'ResultPart',
      'Seal',
      'StreamDecoder',
      'StreamReader',
      'StreamWriter',
      'SystemMessage',
      'TextPart',
      'ToolChoice',
      'ToolSpec',
      'TurnError',
      'TurnErrorKind',
      'TurnEvent',
      'TurnFailed',
      'TurnFinished',
      'TurnOptions',
      'TurnRequest',
      'TurnResponse',
      'TurnStarted',
      'Usage',
      'UserMessage',
      'WireUnknown',
      'Written',
    ],
  },
};

const root = join(import.meta.dirname, '..');

/** The names an entry exports as types alone: a class or a function is a value. */
const exportedTypes = (entry: string): string[] => {
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  const program = ts.createProgram([join(root, entry)], options);
  const checker = program.getTypeChecker();
  const file = program.getSourceFile(join(root, entry));
  const symbol = file && checker.getSymbolAtLocation(file);
  if (!symbol) throw new Error(`${entry} is no module`);
  const target = (one: ts.Symbol): ts.Symbol =>
    one.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(one) : one;
  return checker
    .getExportsOfModule(symbol)
    .filter((one) => !(target(one).flags & ts.SymbolFlags.Value))
    .map((one) => one.name)
    .sort();
};

describe.each(Object.entries(surface))('%s', (entry, { values, types }) => {
  it('exports these values and no more', async () => {
    expect(Object.keys(await import(join(root, entry))).sort()).toEqual(values);
  });

  it('exports these types and no more', () => {
    expect(exportedTypes(entry)).toEqual(types);
  });
});
