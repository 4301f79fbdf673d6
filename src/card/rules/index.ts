import type { Rule } from '../types.ts'
import { additionalInterfaces } from './additional-interfaces.ts'
import { addressPath } from './address-path.ts'
import { authenticationSecret } from './authentication-secret.ts'
import { authentication } from './authentication.ts'
import { bindAddress } from './bind-address.ts'
import { cacheHeaders } from './cache-headers.ts'
import { callableInterface } from './callable-interface.ts'
import { camelCase } from './camel-case.ts'
import { capabilities } from './capabilities.ts'
import { capabilityExtensions } from './capability-extensions.ts'
import { capabilityFlags } from './capability-flags.ts'
import { contentType } from './content-type.ts'
import { defaultInputModes } from './default-input-modes.ts'
import { defaultOutputModes } from './default-output-modes.ts'
import { description } from './description.ts'
import { documentationUrl } from './documentation-url.ts'
import { extendedCardSecurity } from './extended-card-security.ts'
import { iconUrl } from './icon-url.ts'
import { inMemoryForm } from './in-memory-form.ts'
import { interfaceBinding } from './interface-binding.ts'
import { interfaceDuplicate } from './interface-duplicate.ts'
import { interfaceTenant } from './interface-tenant.ts'
import { interfaceUrl } from './interface-url.ts'
import { interfaceVersion } from './interface-version.ts'
import { legacyMembers } from './legacy-members.ts'
import { legacyPath } from './legacy-path.ts'
import { loopbackAddress } from './loopback-address.ts'
import { mainInterfaceListed } from './main-interface-listed.ts'
import { mediaTypes } from './media-types.ts'
import { name } from './name.ts'
import { nullMembers } from './null-members.ts'
import { otherOrigin } from './other-origin.ts'
import { plainHttp } from './plain-http.ts'
import { preferredTransport } from './preferred-transport.ts'
import { privateAddress } from './private-address.ts'
import { protocolVersionMix } from './protocol-version-mix.ts'
import { protocolVersion } from './protocol-version.ts'
import { provider } from './provider.ts'
import { requiredExtension } from './required-extension.ts'
import { schemeApiKey } from './scheme-api-key.ts'
import { schemeFlowDeprecated } from './scheme-flow-deprecated.ts'
import { schemeHttp } from './scheme-http.ts'
import { schemeHttps } from './scheme-https.ts'
import { schemeKind } from './scheme-kind.ts'
import { schemeOauth2 } from './scheme-oauth2.ts'
import { schemeOpenid } from './scheme-openid.ts'
import { schemePkce } from './scheme-pkce.ts'
import { securityRequirements } from './security-requirements.ts'
import { securitySchemes } from './security-schemes.ts'
import { securityUndeclared } from './security-undeclared.ts'
import { signatureTyp } from './signature-typ.ts'
import { signatures } from './signatures.ts'
import { skillDescription } from './skill-description.ts'
import { skillExamples } from './skill-examples.ts'
import { skillIdUnique } from './skill-id-unique.ts'
import { skillId } from './skill-id.ts'
import { skillModes } from './skill-modes.ts'
import { skillName } from './skill-name.ts'
import { skillObject } from './skill-object.ts'
import { skillTags } from './skill-tags.ts'
import { skillsEmpty } from './skills-empty.ts'
import { skills } from './skills.ts'
import { supportedInterfaces } from './supported-interfaces.ts'
import { transportConflict } from './transport-conflict.ts'
import { transportName } from './transport-name.ts'
import { unsigned } from './unsigned.ts'
import { url } from './url.ts'
import { version } from './version.ts'

/** Every statement about cards, by id. */
export const rules: readonly Rule[] = [
  additionalInterfaces,
  addressPath,
  authenticationSecret,
  authentication,
  bindAddress,
  cacheHeaders,
  callableInterface,
  camelCase,
  capabilities,
  capabilityExtensions,
  capabilityFlags,
  contentType,
  defaultInputModes,
  defaultOutputModes,
  description,
  documentationUrl,
  extendedCardSecurity,
  iconUrl,
  inMemoryForm,
  interfaceBinding,
  interfaceDuplicate,
  interfaceTenant,
  interfaceUrl,
  interfaceVersion,
  legacyMembers,
  legacyPath,
  loopbackAddress,
  mainInterfaceListed,
  mediaTypes,
  name,
  nullMembers,
  otherOrigin,
  plainHttp,
  preferredTransport,
  privateAddress,
  protocolVersionMix,
  protocolVersion,
  provider,
  requiredExtension,
  schemeApiKey,
  schemeFlowDeprecated,
  schemeHttp,
  schemeHttps,
  schemeKind,
  schemeOauth2,
  schemeOpenid,
  schemePkce,
  securityRequirements,
  securitySchemes,
  securityUndeclared,
  signatureTyp,
  signatures,
  skillDescription,
  skillExamples,
  skillIdUnique,
  skillId,
  skillModes,
  skillName,
  skillObject,
  skillTags,
  skillsEmpty,
  skills,
  supportedInterfaces,
  transportConflict,
  transportName,
  unsigned,
  url,
  version,
]
