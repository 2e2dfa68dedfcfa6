// SPDX-License-Identifier: Apache-2.0
import org.jspecify.annotations.NullMarked;

/** The application: command line, wiring, packaging. Exports nothing. */
@NullMarked
module dev.mooring.distribution {
    requires static org.apiguardian.api;
    requires static org.jspecify;
    // What generates builders; not needed at run time.
    requires static io.soabase.recordbuilder.core;
    requires dev.mooring.apiserver;
    requires dev.mooring.attachdetach;
    requires dev.mooring.binder;
    requires dev.mooring.controlplane;
    requires dev.mooring.host.linux;
    requires dev.mooring.kubernetes;
    requires dev.mooring.clusterstore;
    requires dev.mooring.runtime;
    requires dev.mooring.simulation;
    requires dev.mooring.storage;
    requires dev.mooring.storage.codec;
    requires dev.mooring.store.embedded;
    requires dev.mooring.volumemanager;
    requires ch.qos.logback.classic;
    requires ch.qos.logback.core;
    requires dagger;
    requires info.picocli;
    requires jakarta.inject;
    requires org.apache.commons.compress;
    requires org.eclipse.jetty.server;
    requires io.prometheus.metrics.config;
    requires io.prometheus.metrics.model;
    requires io.prometheus.writer.text;
    // For the modules of lib/csi, which find of the JDK only what is there already.
    requires java.logging;
    requires jdk.unsupported;
    requires org.slf4j;
    requires org.snakeyaml.engine;

    uses dev.mooring.runtime.plugin.DriverHost;
    uses dev.mooring.runtime.plugin.PluginServer;
    uses dev.mooring.storage.spi.StoragePlugin;

    provides ch.qos.logback.classic.spi.Configurator with
            dev.mooring.distribution.logging.ShippedLog;

    opens dev.mooring.distribution to
            info.picocli;
    opens dev.mooring.distribution.option to
            info.picocli;
}
