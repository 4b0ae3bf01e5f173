const none = /^(?:no|none|null|nil)(?:[_ ]?(?:function|tool|call|action|op|match))*$/i;

/** Whether a name that no tool has says that nothing is called: asked for a call where none helps, some answer so. */
export const saysNone = (name: string): boolean => none.test(name);
