/** Replaces ajv, which generates code and so violates the page's policy. The interpreter is used instead. */
export class Ajv {
  constructor() {
    throw new EvalError('Code generation is disabled on this page');
  }
}

export { Ajv as Ajv2020 };
