/** Removes the parameter `iss` (RFC 9207) from a callback, and the member of the metadata that announces it. */
export function removeIssuer(context) {
  if (context.path.startsWith('/.well-known/') && context.body?.issuer) {
    delete context.body.authorization_response_iss_parameter_supported;
  }
  const location = context.response.get('location');
  if (location && URL.canParse(location) && new URL(location).searchParams.has('iss')) {
    const back = new URL(location);
    back.searchParams.delete('iss');
    context.set('location', back.href);
  }
}
