import { dialects } from '../../src/dialect/dialects/index.ts';

interface Props {
  readonly value: string;
  /** Names of the available tools. */
  readonly tools: readonly string[];
  readonly onChange: (value: string) => void;
}

/** Selects how the text is read. */
export const ReadAs = ({ value, tools, onChange }: Props) => (
  <label class="field">
    <span>Read as</span>
    <select value={value} onChange={(event) => onChange(event.currentTarget.value)}>
      <option value="auto">Calls in text (detect the dialect)</option>
      <optgroup label="The arguments of one call">
        {tools.map((name) => (
          <option key={name} value={`args:${name}`}>
            Arguments of {name}
          </option>
        ))}
      </optgroup>
      <optgroup label="Calls in a dialect">
        {dialects.map(({ name, families }) => (
          <option key={name} value={name}>
            {name} ({families})
          </option>
        ))}
      </optgroup>
    </select>
  </label>
);
