import type { Baml } from '../accuracy/contestants/baml.ts';

/** The three calls that are streamed, as one class whose fields may be left out, and what is read to show leniency. */
const source = `
client<llm> Nobody {
  provider openai
  options {
    model "none"
    api_key "none"
  }
}
class Edit {
  old_text string
  new_text string
  replace_all bool
}
class Call {
  path string?
  content string?
  edits Edit[]?
  points float[][]?
  style (string | int | bool)[]?
  a int[]?
  b bool?
}
function ReadInput(text: string) -> Call {
  client Nobody
  prompt #"{{ text }} {{ ctx.output_format }}"#
}
`;

/** BAML's partial parse. It writes null for what was not given, which is left out here. */
export function bamlPartial({ BamlRuntime }: Baml): (text: string) => unknown {
  const runtime = BamlRuntime.fromFiles('baml_src', { 'main.baml': source }, {});
  const context = runtime.createContextManager();
  return (text) => {
    const read = runtime.parseLlmResponse('ReadInput', text, true, context, undefined, undefined, {}) as object;
    return Object.fromEntries(Object.entries(read).filter(([, value]) => value !== null));
  };
}
