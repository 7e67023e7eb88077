export function saveFile(name: string, lines: readonly string[], type = 'text/csv;charset=utf-8'): void {
  saveBlob(name, new Blob([...lines], { type }));
}

export function saveBlob(name: string, blob: Blob): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // Until then the browser has read it.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
