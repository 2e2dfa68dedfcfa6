// SPDX-License-Identifier: Apache-2.0
package dev.mooring.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.ConnectException;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpTimeoutException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.UnresolvedAddressException;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateExpiredException;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Why no answer came is said in words. */
class UnreachedTest {
    static Stream<Arguments> failures() {
        Throwable unsigned = new SSLHandshakeException("PKIX path building failed: sun.security…")
                .initCause(new CertPathBuilderException("unable to find valid certification path"));
        Throwable other = new SSLHandshakeException("PKIX path validation failed: java.security…")
                .initCause(new CertPathValidatorException("signature check failed"));
        Throwable old = new SSLHandshakeException("PKIX path validation failed: java.security…")
                .initCause(new CertPathValidatorException("validity check failed", new CertificateExpiredException()));
        Throwable plain = new SSLException("Unsupported or unrecognized SSL message");
        Throwable unknown = new ConnectException().initCause(new UnresolvedAddressException());
        return Stream.of(
                Arguments.of(new ConnectException(), "connection refused"),
                Arguments.of(unknown, "there is no host of that name"),
                Arguments.of(new HttpConnectTimeoutException("x"), "it could not be connected to in time"),
                Arguments.of(new HttpTimeoutException("x"), "no answer in time"),
                Arguments.of(
                        unsigned, "the server's certificate is not signed by the authority of the kubeconfig or pod"),
                Arguments.of(other, "the server's certificate is not signed by the authority of the kubeconfig or pod"),
                Arguments.of(old, "the server's certificate, or its authority's, is not valid at this time"),
                Arguments.of(plain, "no connection by TLS: Unsupported or unrecognized SSL message"),
                Arguments.of(new ClosedChannelException(), "the connection was closed"),
                Arguments.of(new InterruptedException(), "interrupted"),
                Arguments.of(new IOException("header parser received no bytes"), "header parser received no bytes"),
                Arguments.of(new IllegalStateException("a defect"), "IllegalStateException: a defect"));
    }

    @ParameterizedTest
    @MethodSource("failures")
    void isSaidInWords(Throwable failure, String expected) {
        assertThat(Unreached.why(failure)).isEqualTo(expected);
    }
}
