// SPDX-License-Identifier: Apache-2.0
package dev.mooring.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import org.junit.jupiter.api.Test;

class TlsPreferencesTest {
    private static final List<String> BOTH = List.of("TLSv1.3", "TLSv1.2");

    @Test
    void chaChaComesFirstAndNothingThatTheJvmOffersIsLost() throws Exception {
        SSLParameters own = SSLContext.getDefault().getDefaultSSLParameters();

        SSLParameters preferred = TlsPreferences.forVersions(List.of());

        assertThat(preferred.getCipherSuites()).containsExactlyInAnyOrder(own.getCipherSuites());
        assertThat(preferred.getProtocols()).containsExactly(own.getProtocols());
        assertThat(preferred.getCipherSuites()[0]).isEqualTo("TLS_CHACHA20_POLY1305_SHA256");
    }

    @Test
    void theOthersKeepTheirOrder() {
        SSLParameters given = new SSLParameters(new String[] {
            "TLS_AES_256_GCM_SHA384",
            "TLS_AES_128_GCM_SHA256",
            "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256",
            "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256"
        });

        assertThat(TlsPreferences.apply(given, BOTH).getCipherSuites())
                .containsExactly(
                        "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256",
                        "TLS_AES_256_GCM_SHA384",
                        "TLS_AES_128_GCM_SHA256",
                        "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256");
    }

    @Test
    void onlyVersionsThatTheConfigurationAllowsAreUsed() {
        assertThat(TlsPreferences.forVersions(List.of("TLSv1.2")).getProtocols())
                .containsExactly("TLSv1.2");
    }
}
