/** The known word that was most likely meant, for messages above the card. */
export { closest as nearest } from '../card/closest.ts'
