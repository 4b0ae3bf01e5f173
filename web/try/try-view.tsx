/** Paste what a model wrote and see it read, mended and checked, here in the page. */
export function TryView({ shared }: { readonly shared: string }) {
  return <h1>Try it {shared}</h1>;
}
