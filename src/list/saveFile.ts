/** Gives the person a CSV file with these lines. */
export function saveFile(name: string, lines: readonly string[]): void {
  const url = URL.createObjectURL(new Blob([...lines], { type: 'text/csv;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // After the browser took it.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
