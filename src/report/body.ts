/** Makes a text from the wire fit to be printed: control characters and escape sequences are shown, not obeyed. */
export function printable(text: string): string {
  return (
    text
      .replaceAll('\r\n', '\n')
      // oxlint-disable-next-line no-control-regex -- they are what is looked for
      .replaceAll(
        /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b\u202a-\u202e\u2066-\u2069\ufeff]/g,
        (char) => {
          return `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`
        },
      )
  )
}

/** Cuts a text to so many lines and characters and says how much is missing. */
export function cut(text: string, most: { lines: number; chars: number }): string {
  const lines = text.split('\n')
  let kept = lines.slice(0, most.lines).join('\n')
  if (kept.length > most.chars) kept = kept.slice(0, most.chars).replace(/[\ud800-\udbff]$/, '')
  const missing = text.length - kept.length
  return missing === 0
    ? text
    : `${kept.replace(/\n$/, '')} … (${missing.toLocaleString('en')} more characters)`
}

/** Sizes for people: `640 bytes`, `1.2 kB`, `3.4 MB`. */
export function size(bytes: number): string {
  if (bytes === 1) return '1 byte'
  if (bytes < 1000) return `${bytes} bytes`
  if (bytes < 999_950) return `${(bytes / 1000).toFixed(1)} kB`
  return `${(bytes / 1_000_000).toFixed(1)} MB`
}

const longest = 160
const base64 = /^[\w+/-]+={0,2}$/

/**
 * The body of a request or response for printing, on as few lines as it has: base64 becomes `<1048576 bytes image/png>`,
 * control characters are shown. A body that was cut and so is no JSON any more is treated by its looks.
 */
export function showBody(body: string): string {
  const trimmed = body.trim()
  if (/^[[{]/.test(trimmed)) {
    try {
      return printable(JSON.stringify(hideBytes(JSON.parse(trimmed))))
    } catch {
      // Cut, or never JSON.
    }
  }
  return printable(hideLongRuns(trimmed))
}

/** A copy of a JSON value in which base64 is replaced by what it stands for. */
export function hideBytes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(hideBytes)
  if (typeof value === 'string') return isBase64(value) ? bytes(value) : hideDataUrl(value)
  if (typeof value !== 'object' || value === null) return value
  const type = mediaType(value as Record<string, unknown>)
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [
      key,
      typeof each === 'string' ? hideFile(key, each, type) : hideBytes(each),
    ]),
  )
}

function hideFile(key: string, text: string, type: string): unknown {
  const hidden = /^<(\d+) bytes>$/.exec(text)?.[1]
  // The exchange log left it out already, but without its type.
  if (hidden !== undefined) return named(Number(hidden), type)
  const inline = isBase64(text) || (/^(bytes|raw)$/.test(key) && text.length > 40)
  return inline ? bytes(text, type) : hideBytes(text)
}

function mediaType(part: Record<string, unknown>): string {
  const found = [
    part['mimeType'],
    part['mediaType'],
    part['mime_type'],
    part['media_type'],
    part['contentType'],
  ]
  return found.find((each): each is string => typeof each === 'string') ?? ''
}

function isBase64(text: string): boolean {
  return text.length >= longest && base64.test(text)
}

function bytes(text: string, type = '', more = false): string {
  const padding = /=*$/.exec(text)?.[0].length ?? 0
  return named(Math.floor(((text.length - padding) * 3) / 4), type, more)
}

function named(count: number, type: string, more = false): string {
  return `<${more ? 'more than ' : ''}${count} bytes${type === '' ? '' : ` ${type}`}>`
}

function hideDataUrl(text: string): string {
  return text.replaceAll(
    /data:([\w.+/-]*)(?:;[\w=.-]+)*;base64,([\w+/=-]{40,})/g,
    (_, type: string, data: string) => `data:${bytes(data, type)}`,
  )
}

function hideLongRuns(text: string): string {
  return hideDataUrl(text).replaceAll(/[\w+/-]{160,}={0,2}/g, (run: string, at: number) => {
    const near = text.slice(Math.max(0, at - 200), at)
    const type = /"(?:mimeType|mediaType)"\s*:\s*"([^"]+)"[^{}]*$/.exec(near)?.[1]
    return bytes(run, type, at + run.length >= text.length)
  })
}
