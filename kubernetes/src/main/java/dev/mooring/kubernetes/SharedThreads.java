// SPDX-License-Identifier: Apache-2.0
package dev.mooring.kubernetes;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientFactory;
import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientImpl;
import java.net.http.HttpClient;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The few threads that the HTTP clients of a store share. Each client of fabric8's own has as many threads as tasks come at once, for a
 * minute: an agent that opens the watches of 100 volumes has 140. No task of these threads waits: what is heard goes to the threads of the
 * watches. Thread-safe.
 */
final class SharedThreads implements AutoCloseable {
    private static final int LEAST = 8;
    private static final long IDLE_SECONDS = 10;

    private final ThreadPoolExecutor threads;

    SharedThreads() {
        int most = Math.max(LEAST, 2 * Runtime.getRuntime().availableProcessors());
        threads = new ThreadPoolExecutor(
                most,
                most,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                WatchHost.named("kubernetes-http"));
        threads.allowCoreThreadTimeOut(true);
    }

    /** For one client of a configuration, which uses these threads until it is closed. */
    JdkHttpClientFactory factory(Config config) {
        return new Factory(threads, TlsPreferences.versions(Optional.ofNullable(config.getTlsVersions())));
    }

    /** Ends them when they have done what they were given; for after the last client was closed. */
    @Override
    public void close() {
        threads.shutdown();
    }

    private static final class Factory extends JdkHttpClientFactory {
        private final Executor threads;
        private final List<String> versions;
        private volatile boolean closed;

        Factory(Executor threads, List<String> versions) {
            this.threads = threads;
            this.versions = versions;
        }

        @Override
        protected HttpClient.Builder createNewHttpClientBuilder() {
            return HttpClient.newBuilder().executor(this::execute);
        }

        /** Comes after what fabric8 has set: the versions of TLS, and with them the JVM's own order of ciphers. */
        @Override
        protected void additionalConfig(HttpClient.Builder builder) {
            builder.sslParameters(TlsPreferences.forVersions(versions));
        }

        private void execute(Runnable task) {
            if (closed) {
                throw new RejectedExecutionException("the client is closed");
            }
            threads.execute(task);
        }

        @Override
        protected void closeHttpClient(JdkHttpClientImpl client) {
            closed = true;
        }
    }
}
