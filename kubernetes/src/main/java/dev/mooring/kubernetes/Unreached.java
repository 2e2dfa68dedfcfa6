// SPDX-License-Identifier: Apache-2.0
package dev.mooring.kubernetes;

import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.UnknownHostException;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpTimeoutException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.UnresolvedAddressException;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLException;

/** Why no answer came, in words; the client tells it by classes, and often by nothing else. */
final class Unreached {
    private Unreached() {}

    static String why(Throwable thrown) {
        return tls(thrown).or(() -> network(thrown)).orElseGet(() -> said(thrown));
    }

    private static Optional<String> tls(Throwable thrown) {
        if (has(thrown, CertificateExpiredException.class) || has(thrown, CertificateNotYetValidException.class)) {
            return Optional.of("the server's certificate, or its authority's, is not valid at this time");
        }
        if (has(thrown, CertPathBuilderException.class) || has(thrown, CertPathValidatorException.class)) {
            return Optional.of("the server's certificate is not signed by the authority of the kubeconfig or pod");
        }
        for (Throwable each = thrown; each != null; each = each.getCause()) {
            if (each instanceof SSLException) {
                return Optional.of("no connection by TLS: " + each.getMessage());
            }
        }
        return Optional.empty();
    }

    private static Optional<String> network(Throwable thrown) {
        if (has(thrown, UnknownHostException.class) || has(thrown, UnresolvedAddressException.class)) {
            return Optional.of("there is no host of that name");
        } else if (has(thrown, HttpConnectTimeoutException.class)) {
            return Optional.of("it could not be connected to in time");
        } else if (has(thrown, HttpTimeoutException.class) || has(thrown, TimeoutException.class)) {
            return Optional.of("no answer in time");
        } else if (has(thrown, NoRouteToHostException.class)) {
            return Optional.of("no route to host");
        } else if (has(thrown, ConnectException.class)) {
            // The client leaves it unsaid; what is not refused has a text, or one of the classes above.
            return Optional.of(text(thrown).orElse("connection refused"));
        }
        return Optional.empty();
    }

    private static String said(Throwable thrown) {
        if (has(thrown, ClosedChannelException.class) || has(thrown, CancellationException.class)) {
            return "the connection was closed";
        } else if (has(thrown, InterruptedException.class)) {
            return "interrupted";
        } else if (has(thrown, IOException.class)) {
            return text(thrown).orElse("the connection broke");
        }
        return thrown.getClass().getSimpleName()
                + text(thrown).map(text -> ": " + text).orElse("");
    }

    private static Optional<String> text(Throwable thrown) {
        return Optional.ofNullable(thrown.getMessage()).filter(text -> !text.isBlank());
    }

    private static boolean has(Throwable thrown, Class<? extends Throwable> type) {
        for (Throwable each = thrown; each != null; each = each.getCause()) {
            if (type.isInstance(each)) {
                return true;
            }
        }
        return false;
    }
}
