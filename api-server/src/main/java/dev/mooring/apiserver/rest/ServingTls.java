// SPDX-License-Identifier: Apache-2.0
package dev.mooring.apiserver.rest;

import dev.mooring.apiserver.access.Credentials;
import dev.mooring.apiserver.access.ServerCertificate;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.security.KeyStore;
import java.time.InstantSource;
import javax.net.ssl.SSLEngine;
import org.eclipse.jetty.util.ssl.SslContextFactory;

/**
 * TLS of the endpoint. Whether the certificate's time is nearly over is looked at when a client connects: a server that runs for years
 * shows a good one, as long as its authority lasts, and needs no timer for it. Connections that are open go on with the one that they were shown.
 */
class ServingTls extends SslContextFactory.Server {
    private final ServerCertificate certificate;
    private final InstantSource clock;

    ServingTls(ServerCertificate certificate, InstantSource clock) throws IOException {
        this.certificate = certificate;
        this.clock = clock;
        setKeyStore(certificate.store());
        setKeyStorePassword(Credentials.STORE_PASSWORD);
        setIncludeProtocols("TLSv1.2", "TLSv1.3");
        setSniRequired(false);
    }

    @Override
    public SSLEngine newSSLEngine(InetSocketAddress client) {
        certificate.renew(clock.instant(), this::show);
        return super.newSSLEngine(client);
    }

    /** What cannot be loaded leaves nothing to be shown, so the one before is loaded again. */
    private void show(KeyStore renewed) throws Exception {
        KeyStore before = getKeyStore();
        try {
            reload(tls -> tls.setKeyStore(renewed));
        } catch (Exception e) {
            try {
                reload(tls -> tls.setKeyStore(before));
            } catch (Exception again) {
                e.addSuppressed(again);
            }
            throw e;
        }
    }
}
