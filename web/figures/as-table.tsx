interface Props {
  readonly head: readonly string[];
  readonly rows: readonly (readonly (string | number)[])[];
}

/** The data of a chart as a table. */
export const AsTable = ({ head, rows }: Props) => (
  <details class="as-table">
    <summary>As a table</summary>
    <div class="table-box">
      <table>
        <thead>
          <tr>
            {head.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([first, ...rest], index) => (
            <tr key={`${index} ${first}`}>
              <th scope="row">{first}</th>
              {rest.map((value, column) => (
                <td key={head[column + 1]} class="number">
                  {value.toLocaleString('en')}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  </details>
);
