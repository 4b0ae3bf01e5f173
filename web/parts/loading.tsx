/** A placeholder while loading, with a text for screen readers. */
export function Loading({ what, lines = 6 }: { readonly what: string; readonly lines?: number }) {
  return (
    <div class="loading" role="status">
      <span class="unseen">Loading {what}</span>
      {Array.from({ length: lines }, (_, index) => (
        <div key={index} class="loading-line" aria-hidden="true" />
      ))}
    </div>
  );
}
