import { accessFindings } from './access.ts'
import { cardFindings } from './card.ts'
import { conversationFindings } from './conversation.ts'
import { httpFindings } from './http.ts'
import { pushFindings } from './push.ts'
import { replyFindings } from './reply.ts'
import { streamFindings } from './stream.ts'
import { taskFindings } from './tasks.ts'
import type { CatalogueEntry } from './types.ts'
import { wireFindings } from './wire.ts'

type Catalogued =
  | keyof typeof accessFindings
  | keyof typeof cardFindings
  | keyof typeof conversationFindings
  | keyof typeof httpFindings
  | keyof typeof pushFindings
  | keyof typeof replyFindings
  | keyof typeof streamFindings
  | keyof typeof taskFindings
  | keyof typeof wireFindings

/** The card rules that a call or a check reports, too. All the other rules are reported by `src/card/rules` alone. */
type BorrowedRule = 'card/scheme-api-key' | 'card/unsigned'

/** The id of everything that can be wrong with an agent, apart from most card rules. */
export type FindingId = Catalogued | BorrowedRule

/** One definition for each finding id. `docs/findings.md` is generated from it. */
export const catalogue: Readonly<Record<Catalogued, CatalogueEntry>> = {
  ...cardFindings,
  ...httpFindings,
  ...wireFindings,
  ...replyFindings,
  ...conversationFindings,
  ...streamFindings,
  ...taskFindings,
  ...pushFindings,
  ...accessFindings,
}
