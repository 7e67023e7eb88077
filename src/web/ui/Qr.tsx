import { encode } from 'uqr';

/** A QR code, dark on white in both themes, because many readers need that. */
export function Qr({ value, label }: { value: string; label: string }) {
  const { size, path } = qrPath(value);
  return (
    <svg
      className="size-full forced-color-adjust-none"
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}

/** The light border that the standard requires, in modules. */
const QUIET_ZONE = 4;

/** A QR code as one path in a square of `size` modules, including its quiet zone. */
export function qrPath(text: string): { size: number; path: string } {
  const { size, data } = encode(text, { ecc: 'M', border: QUIET_ZONE });
  const modules = data.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : '')));
  return { size, path: modules.join('') };
}
