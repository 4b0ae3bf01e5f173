import type { Example } from './example.ts';

/** Examples of the rows of `table-frames.ts`. */
export const framesExamples: Readonly<Record<string, readonly Example[]>> = {
  harmony: [
    {
      text: ' to=functions.special_function<|channel|>analysis<|message|>{"arg1": 1}',
      calls: [{ name: 'special_function', arguments: { arg1: 1 } }],
    },
    {
      text: ' to=get_current_weather<|channel|>commentary <|constrain|>json<|message|>{"location": "Tokyo"}<|call|><|start|>assistant to=get_user_location<|channel|>commentary <|constrain|>json<|message|>{}<|call|>',
      calls: [
        { name: 'get_current_weather', arguments: { location: 'Tokyo' } },
        { name: 'get_user_location', arguments: {} },
      ],
    },
  ],
  'muse-glimmer': [
    {
      text: ' to=user<|message|>Hello, world!\nWhat\'s up?<|eom|><|start|>assistant to=special_function<|message|><atem:function_calls>\n<atem:invoke name="special_function">\n<atem:parameter name="arg1">1</atem:parameter>\n</atem:invoke>\n</atem:function_calls>',
      calls: [{ name: 'special_function', arguments: { arg1: 1 } }],
      left: "Hello, world!\nWhat's up?",
    },
    {
      text: ' <|start|>assistant to=math.add<|message|><atem:function_calls>\n<atem:invoke name="math.add">\n<atem:parameter name="a">1</atem:parameter>\n</atem:invoke>\n</atem:function_calls><|eom|><|start|>assistant to=math.mul<|message|><atem:function_calls>\n<atem:invoke name="math.mul">\n<atem:parameter name="a">3</atem:parameter>\n</atem:invoke>\n</atem:function_calls><|eot|>',
      calls: [
        { name: 'math.add', arguments: { a: 1 } },
        { name: 'math.mul', arguments: { a: 3 } },
      ],
    },
  ],
  react: [
    {
      text: 'Thought: Gotta use a tool.\nAction: tool\nAction Input: {"a": 1, "b": {}}\n',
      calls: [{ name: 'tool', arguments: { a: 1, b: {} } }],
      reasoning: 'Gotta use a tool.',
    },
    {
      text: 'Action: tool\nAction Input: ```json\n{"a": 1}\n```\n',
      calls: [{ name: 'tool', arguments: { a: 1 } }],
    },
    {
      text: 'Thought: I know.\nFinal Answer: 2',
      calls: [],
      left: '2',
      reasoning: 'I know.',
    },
  ],
  'content-only': [
    {
      text: 'Use <tool_call> to call a tool.',
      calls: [],
      left: 'Use <tool_call> to call a tool.',
    },
  ],
};
