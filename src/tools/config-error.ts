import { ToolmendError } from '../json/toolmend-error.ts';

/** A fault in a definition: where, what, and how to fix it. */
export interface Fault {
  /** `name`, `parameters.type`, `parameters.properties.user.address[].zip.type` */
  readonly field: string;
  readonly message: string;
  readonly fix: string;
}

export const fault = (field: string, message: string, fix: string): Fault => ({ field, message, fix });

/**
 * Thrown for an invalid configuration, with the location and a fix.
 *
 * @example
 * try {
 *   toolbox.add(definition);
 * } catch (error) {
 *   if (!ConfigurationValidationError.isInstance(error)) throw error;
 *   for (const { field, message, fix } of error.faults) console.error(`${field}: ${message}. ${fix}.`);
 * }
 */
export class ConfigurationValidationError extends ToolmendError {
  override readonly name = 'ConfigurationValidationError';
  /** What was configured: `tool`. */
  readonly configType: string;
  /** Location of the first fault. */
  readonly field: string;
  /** All faults, including the first. */
  readonly faults: readonly Fault[];

  constructor(message: string, about: { configType: string; field: string; faults?: readonly Fault[] }) {
    super(about.configType === 'tool' ? 'invalid_tool' : 'invalid_config', message);
    this.configType = about.configType;
    this.field = about.field;
    this.faults = about.faults ?? [];
  }

  /** Whether a value is such an error, including one from another copy of this package. */
  static override isInstance(error: unknown): error is ConfigurationValidationError {
    return ToolmendError.isInstance(error) && 'faults' in error;
  }
}

/** Throws an error with the faults of a tool. Requires at least one fault. */
export function throwFaults(what: string, faults: readonly Fault[], more = ''): never {
  const { field, message, fix } = faults[0] as Fault;
  throw new ConfigurationValidationError(`${what}: ${message}. ${fix}.${more}`, { configType: 'tool', field, faults });
}
