/** How calls fare. */
export function FiguresView() {
  return <h1>Figures</h1>;
}
