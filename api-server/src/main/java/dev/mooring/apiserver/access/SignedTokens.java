// SPDX-License-Identifier: Apache-2.0
package dev.mooring.apiserver.access;

import dev.mooring.storage.codec.CodecException;
import dev.mooring.storage.codec.KubernetesJson;
import dev.mooring.storage.document.Document;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Signs claims, and knows again what it signed: JSON Web Tokens in the compact form (RFC 7519), by ES256 (RFC 7518, section 3.4) and
 * with one key only. Thread-safe.
 */
public final class SignedTokens {
    /** ECDSA with both numbers one after the other, as RFC 7518 wants them. */
    private static final String ES256 = "SHA256withECDSAinP1363Format";

    private static final KubernetesJson JSON = KubernetesJson.standard();

    private final PrivateKey key;
    private final PublicKey check;
    private final String header;

    SignedTokens(Identity identity) throws GeneralSecurityException {
        key = identity.key();
        check = identity.certificate().getPublicKey();
        byte[] id = MessageDigest.getInstance("SHA-256").digest(check.getEncoded());
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("alg", "ES256");
        fields.put("kid", base64(id));
        fields.put("typ", "JWT");
        header = base64(JSON.write(Document.of(fields)).getBytes(StandardCharsets.UTF_8));
    }

    private static String base64(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /** A token of these claims. */
    public String sign(Document claims) {
        String signed = header + "." + base64(JSON.write(claims).getBytes(StandardCharsets.UTF_8));
        try {
            Signature signature = Signature.getInstance(ES256);
            signature.initSign(key);
            signature.update(signed.getBytes(StandardCharsets.US_ASCII));
            return signed + "." + base64(signature.sign());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("the key does not sign", e);
        }
    }

    /** The claims of a token that was signed here; empty for any other text. Whether they hold still is the caller's to see. */
    public Optional<Document> claims(String token) {
        String[] parts = token.split("\\.", -1);
        // There is one header: a token with another way of signing was not issued here.
        if (parts.length != 3 || !parts[0].equals(header)) {
            return Optional.empty();
        }
        try {
            Signature signature = Signature.getInstance(ES256);
            signature.initVerify(check);
            signature.update((parts[0] + "." + parts[1]).getBytes(StandardCharsets.UTF_8));
            if (!signature.verify(Base64.getUrlDecoder().decode(parts[2]))) {
                return Optional.empty();
            }
            String claims = new String(Base64.getUrlDecoder().decode(parts[1]), StandardCharsets.UTF_8);
            return Optional.of(JSON.read(claims, "the token"));
        } catch (GeneralSecurityException | CodecException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
