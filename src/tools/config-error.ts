import { ToolmendError } from '../json/toolmend-error.ts';

/** One thing wrong with a definition: where, what, and how to put it right. */
export interface Fault {
  /** `name`, `parameters.type`, `parameters.properties.user.address[].zip.type` */
  readonly field: string;
  readonly message: string;
  readonly fix: string;
}

/**
 * Thrown when something is configured that could never work; says where and what to do about it.
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
  /** Where the first fault is. */
  readonly field: string;
  /** Every fault that was found, the first one included. */
  readonly faults: readonly Fault[];

  constructor(message: string, about: { configType: string; field: string; faults?: readonly Fault[] }) {
    super(about.configType === 'tool' ? 'invalid_tool' : 'invalid_config', message);
    this.configType = about.configType;
    this.field = about.field;
    this.faults = about.faults ?? [];
  }

  /** True for such an error, also one made by another copy of this package. */
  static override isInstance(error: unknown): error is ConfigurationValidationError {
    return ToolmendError.isInstance(error) && 'faults' in error;
  }
}

/** Throws an error that tells the first of a tool's faults and holds them all; returns where there are none. */
export function throwFaults(what: string, faults: readonly Fault[], more = ''): void {
  const [first] = faults;
  if (!first) return;
  const { field, message, fix } = first;
  throw new ConfigurationValidationError(`${what}: ${message}. ${fix}.${more}`, { configType: 'tool', field, faults });
}
