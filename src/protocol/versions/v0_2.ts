import type { Profile } from './profile.ts'
import { v03 } from './v0_3.ts'

/** A2A 0.2: the wire of 0.3, but the card for authenticated clients is fetched by GET. */
export const v02: Profile = { ...v03, card: { ...v03.card, extendedCardBy: 'get' } }
