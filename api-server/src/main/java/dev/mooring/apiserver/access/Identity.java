// SPDX-License-Identifier: Apache-2.0
package dev.mooring.apiserver.access;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A key and what others know it by, kept as PEM: the file's mode protects it, so a password would only cost time at every start.
 *
 * @param key on the curve P-256
 * @param chain its own certificate first
 */
record Identity(PrivateKey key, List<X509Certificate> chain) {
    private static final Pattern BLOCK =
            Pattern.compile("-----BEGIN ([A-Z ]+)-----\\s+([A-Za-z0-9+/=\\s]+)-----END \\1-----");
    private static final String KEY = "PRIVATE KEY";
    private static final String CERTIFICATE = "CERTIFICATE";

    Identity {
        chain = List.copyOf(chain);
    }

    static Identity parse(String pem) throws GeneralSecurityException {
        List<X509Certificate> chain = new ArrayList<>();
        List<PrivateKey> keys = new ArrayList<>();
        Matcher blocks = BLOCK.matcher(pem);
        while (blocks.find()) {
            byte[] bytes = Base64.getMimeDecoder().decode(blocks.group(2));
            if (blocks.group(1).equals(KEY)) {
                keys.add(KeyFactory.getInstance("EC").generatePrivate(new PKCS8EncodedKeySpec(bytes)));
            } else if (blocks.group(1).equals(CERTIFICATE)) {
                chain.add((X509Certificate)
                        CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(bytes)));
            }
        }
        if (keys.size() != 1 || chain.isEmpty()) {
            throw new GeneralSecurityException("it does not hold one key and its certificate");
        }
        return new Identity(keys.get(0), chain);
    }

    X509Certificate certificate() {
        return chain.get(0);
    }

    /** The end of its certificate's time. */
    Instant end() {
        return certificate().getNotAfter().toInstant();
    }

    /**
     * Whether its certificate is valid for so long. A certificate that was made while the clock was ahead is as useless as an expired one.
     */
    boolean lasts(Instant now, Duration time) {
        return end().isAfter(now.plus(time))
                && !certificate().getNotBefore().toInstant().isAfter(now);
    }

    byte[] pem() throws GeneralSecurityException {
        StringBuilder text = new StringBuilder(block(KEY, key.getEncoded()));
        for (X509Certificate each : chain) {
            text.append(pem(each));
        }
        return text.toString().getBytes(StandardCharsets.US_ASCII);
    }

    static String pem(X509Certificate certificate) throws GeneralSecurityException {
        return block(CERTIFICATE, certificate.getEncoded());
    }

    private static String block(String what, byte[] content) {
        Base64.Encoder lines = Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII));
        return "-----BEGIN " + what + "-----\n" + lines.encodeToString(content) + "\n-----END " + what + "-----\n";
    }

    /** The form in which TLS wants it. It never leaves the process: the form that is opened fastest is the best. */
    KeyStore keyStore(String password) throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance("JKS");
        store.load(null, null);
        store.setKeyEntry("mooring", key, password.toCharArray(), chain.toArray(Certificate[]::new));
        return store;
    }
}
