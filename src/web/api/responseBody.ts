/** Enough for any answer of the contract; bounds what a broken service can send. */
const MAX_BYTES = 8 * 1024 * 1024;

/** The body as text, and whether all of it came: false for a broken stream, another length than announced, or more than 8 MB. */
export async function readResponseBody(response: Response): Promise<{ text: string; complete: boolean }> {
  const announced = lengthOf(response);
  if (!response.body) return { text: '', complete: announced === null || announced === 0 };
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      bytes += value.byteLength;
      if (bytes > MAX_BYTES) {
        reader.cancel().catch(() => undefined);
        return { text, complete: false };
      }
      text += decoder.decode(value, { stream: true });
    }
  } catch {
    return { text, complete: false };
  }
  return { text: text + decoder.decode(), complete: announced === null || announced === bytes };
}

function lengthOf(response: Response): number | null {
  // Content-Length counts compressed bytes, the stream gives decompressed ones.
  if (response.headers.get('Content-Encoding') !== null) return null;
  const header = response.headers.get('Content-Length');
  return header !== null && /^\d+$/.test(header) ? Number(header) : null;
}
