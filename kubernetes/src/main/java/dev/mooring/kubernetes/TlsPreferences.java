// SPDX-License-Identifier: Apache-2.0
package dev.mooring.kubernetes;

import io.fabric8.kubernetes.client.http.TlsVersion;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManager;

/**
 * What connections prefer of TLS: ChaCha20-Poly1305, of the ciphers that this JVM offers anyway. Only the JVM's last compiler uses the
 * processor's instructions for AES, and Mooring's processes run without it, or not for long. Until then AES-GCM takes several times the
 * processor time of ChaCha20.
 */
final class TlsPreferences {
    private TlsPreferences() {}

    /** The JDK's names of the versions that a configuration allows; none for the JVM's own choice. */
    static List<String> versions(Optional<TlsVersion[]> allowed) {
        return Stream.of(allowed.orElse(new TlsVersion[0]))
                .map(TlsVersion::javaName)
                .toList();
    }

    /** What this JVM's clients have by themselves, with these versions of TLS. */
    static SSLParameters forVersions(List<String> versions) {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            // Without managers of its own, a context reads the certificates that the JDK trusts.
            context.init(new KeyManager[0], new TrustManager[0], null);
            return apply(context.getDefaultSSLParameters(), versions);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this JVM has no TLS", e);
        }
    }

    static SSLParameters apply(SSLParameters parameters, List<String> versions) {
        String[] suites = parameters.getCipherSuites();
        Arrays.sort(suites, Comparator.comparing(suite -> !suite.contains("_CHACHA20_")));
        parameters.setCipherSuites(suites);
        if (!versions.isEmpty()) {
            parameters.setProtocols(versions.toArray(String[]::new));
        }
        return parameters;
    }
}
