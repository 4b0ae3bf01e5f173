/** A text that holds calls, and which of these the model made; and one call in the notations that such texts use. */
export interface PlacedRow {
  /** Where the call stands, in words. */
  readonly where: string;
  /** It was read so before there was a rule. */
  readonly held?: true;
  readonly text: string;
  /** The tools that are called. */
  readonly calls: readonly string[];
  /** What is left for the user; all of the text where it holds no call. */
  readonly left?: string;
  readonly dialect?: string;
  /** The answer ended by length. */
  readonly cut?: boolean;
  /** How surely the model made the calls. */
  readonly certainty?: 'lossless' | 'inferred';
}

export const args = '{"path": "a.txt"}';
export const json = `{"name": "delete_file", "arguments": ${args}}`;
export const plain = `<tool_call>${json}</tool_call>`;
export const lines = `<tool_call>\n${json}\n</tool_call>`;
export const special = "<|tool_call_start|>[delete_file(path='a.txt')]<|tool_call_end|>";
export const mistral = `[TOOL_CALLS]delete_file[ARGS]${args}`;
export const deepseek = `<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>delete_file<｜tool▁sep｜>${args}<｜tool▁call▁end｜><｜tool▁calls▁end｜>`;
export const tagged =
  '<tool_call>\n<function=delete_file>\n<parameter=path>\na.txt\n</parameter>\n</function>\n</tool_call>';
export const invoke = '<invoke name="delete_file"><parameter name="path">a.txt</parameter></invoke>';
export const kimi = `<|tool_calls_section_begin|>\n<|tool_call_begin|>functions.delete_file:0<|tool_call_argument_begin|>${args}<|tool_call_end|>\n<|tool_calls_section_end|>`;
export const dsml =
  '<｜DSML｜function_calls>\n<｜DSML｜invoke name="delete_file">\n<｜DSML｜parameter name="path" string="true">a.txt</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜function_calls>';
export const python = 'delete_file(path="a.txt")';
export const cline = '<delete_file><path>a.txt</path></delete_file>';
export const react = `Action: delete_file\nAction Input: ${args}`;
export const escaped = JSON.stringify(plain).slice(1, -1);
export const indented = (text: string, by = '    '): string => by + text.replaceAll('\n', `\n${by}`);
export const deletes = ['delete_file'];
export const none: readonly string[] = [];
