// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.standalone;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** What a client needs to know of a server. */
record ServerKubeconfig(int port, String token, SSLContext tls) {
    static ServerKubeconfig read(Path file) throws IOException, GeneralSecurityException {
        String text = Files.readString(file);
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        byte[] pem = Base64.getDecoder().decode(found(text, "certificate-authority-data: (\\S+)"));
        trusted.setCertificateEntry(
                "ca", CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(pem)));
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(trusted);
        SSLContext tls = SSLContext.getInstance("TLS");
        tls.init(null, factory.getTrustManagers(), null);
        int port = Integer.parseInt(found(text, "server: https://127.0.0.1:([0-9]+)"));
        return new ServerKubeconfig(port, found(text, "token: (\\S+)"), tls);
    }

    private static String found(String text, String pattern) {
        Matcher matcher = Pattern.compile(pattern).matcher(text);
        if (!matcher.find()) {
            throw new IllegalArgumentException("no " + pattern + " in the kubeconfig");
        }
        return matcher.group(1);
    }
}
