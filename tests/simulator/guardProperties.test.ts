import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { TranscriptEntry } from '../../src/transcript/types.ts'
import { guard, leaking, names } from './guardFakes.ts'
import { conversation } from './userFakes.ts'

describe('for any text', () => {
  const text = fc.oneof(
    fc.string(),
    fc.string({ unit: 'binary' }),
    fc.constantFrom(...leaking.map(([one]) => one)),
  )
  const entry: fc.Arbitrary<TranscriptEntry> = fc.record({
    turn: fc.integer({ min: 1, max: 9 }),
    from: fc.constantFrom('user', 'agent'),
    text,
    data: fc.array(fc.anything({ withBigInt: true }), { maxLength: 2 }),
  })

  test('never throws, and tells in whole sentences', () => {
    fc.assert(
      fc.property(
        text,
        text,
        fc.array(text),
        fc.array(text),
        fc.array(entry),
        (message, goal, facts, criteria, entries) => {
          const { hits, notes } = guard(message, { goal, facts, criteria, entries })
          for (const hit of hits) {
            expect(hit.message).toBe(message)
            expect(hit.why).toMatch(/^It [^]*\.$/)
          }
          if (hits.length > 0) expect(notes).toEqual([])
        },
      ),
    )
  })

  test('words that the goal has never leak', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...leaking.map(([one]) => one)),
        fc.string(),
        fc.string(),
        (leak, before, after) => {
          const found = names(`I say ${leak} now`, { goal: `${before} ${leak} ${after}` })
          expect(found).toEqual([])
        },
      ),
    )
  })

  test('a criterion is only minded where it is not known', () => {
    const words = fc.array(fc.constantFrom('ja', 'no', 'fee', 'день', '日'), { minLength: 8, maxLength: 20 })
    fc.assert(
      fc.property(words, (list) => {
        const sentence = list.join(' ')
        expect(names(sentence, { criteria: [sentence] })).toContain('criteria')
        expect(names(sentence, { criteria: [sentence], facts: [sentence] })).not.toContain('criteria')
      }),
    )
  })
})

const multilingual = [
  'Hallo, ich wurde für die Bestellung zweimal belastet. Können Sie das prüfen?',
  'Bonjour, je voudrais changer mon vol de vendredi, s’il vous plaît. C’est « urgent ».',
  'Buenos días, quiero devolver unos zapatos que compré hace un mes.',
  'Olá, meu pedido ainda não chegou. O que faço?',
  'Merhaba, faturam neden iki kez kesildi?',
  'Dzień dobry, chcę zmienić termin wizyty.',
  'Добрый день, мой заказ не пришёл. Что делать?',
  'مرحبا، أريد استرداد المبلغ من فضلك',
  'שלום, אני רוצה לשנות את ההזמנה שלי',
  'नमस्ते, मेरा ऑर्डर अभी तक नहीं आया है',
  'こんにちは、注文がまだ届いていません。確認していただけますか？',
  '你好，我的订单被重复扣款了，可以退一笔吗？',
  '안녕하세요, 주문이 아직 안 왔어요.',
  'สวัสดีค่ะ ดิฉันต้องการเปลี่ยนเที่ยวบิน',
  'Xin chào, tôi muốn hoàn tiền cho đơn hàng bị trùng.',
]

test.each(multilingual)('%j is a plain message', (message) => {
  expect(
    guard(message, {
      goal: 'Get the duplicate charge refunded.',
      criteria: multilingual.filter((one) => one !== message),
      entries: conversation(...multilingual.filter((one) => one !== message)),
    }),
  ).toEqual({ hits: [], notes: [] })
})
