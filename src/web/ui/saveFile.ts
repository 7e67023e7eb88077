export function saveFile(name: string, lines: readonly string[], type = 'text/csv;charset=utf-8'): void {
  saveBlob(name, new Blob([...lines], { type }));
}

/** Saves a file that the server sends as a download. */
export function saveFrom(path: string): void {
  const link = document.createElement('a');
  link.href = path;
  link.download = '';
  link.click();
}

export function saveBlob(name: string, blob: Blob): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // By then the browser has read the file.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
