// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.wiring;

import dagger.Module;
import dagger.Provides;
import dev.mooring.distribution.logging.DecisionLog;
import dev.mooring.distribution.operations.LoopMetrics;
import dev.mooring.runtime.ControllerRuntime;
import dev.mooring.runtime.RuntimeOptions;
import dev.mooring.runtime.control.LoopListener;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.runtime.plugin.StoreNotes;
import dev.mooring.runtime.plugin.StoreSecrets;
import dev.mooring.storage.spi.host.HostFeature;
import dev.mooring.volumemanager.Adoption;
import dev.mooring.volumemanager.HostVolumes;
import dev.mooring.volumemanager.NodeConfig;
import dev.mooring.volumemanager.NodeNews;
import dev.mooring.volumemanager.VolumeManager;
import dev.mooring.volumemanager.calls.NodeCallHandler;
import dev.mooring.volumemanager.content.ContentFeed;
import dev.mooring.volumemanager.content.PodTokens;
import dev.mooring.volumemanager.content.TokenSource;
import dev.mooring.volumemanager.metrics.VolumeManagerMetrics;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** How the parts of a node's agent are tied to each other. */
@Module
interface NodeModule {
    @Provides
    @Singleton
    static ContentFeed contentFeed(NodeParts parts) {
        return new ContentFeed(parts.store());
    }

    @Provides
    @Singleton
    static TokenSource tokens(NodeParts parts, ContentFeed feed) {
        return new PodTokens(parts.tokens(), InstantSource.system(), NodeModule::later, feed);
    }

    /** On a thread of the JDK's that is there only while something waits. */
    private static void later(Duration wait, Runnable work) {
        CompletableFuture.delayedExecutor(wait.toNanos(), TimeUnit.NANOSECONDS).execute(work);
    }

    @Provides
    @Singleton
    static PluginRegistry plugins(NodeParts parts, ContentFeed feed, TokenSource tokens) {
        return HostVolumes.with(new PluginRegistry(parts.plugins()), feed, tokens);
    }

    @Provides
    @Singleton
    static NodeNews news() {
        return new NodeNews();
    }

    @Provides
    @Singleton
    static VolumeManagerMetrics metrics(NodeParts parts, PluginRegistry plugins) {
        return new VolumeManagerMetrics(plugins, parts.node().name());
    }

    @Provides
    @Singleton
    static LoopMetrics loopMetrics() {
        return new LoopMetrics("node");
    }

    @Provides
    static NodeCallHandler calls(NodeParts parts, PluginRegistry plugins) {
        return new NodeCallHandler(
                        parts.node(),
                        parts.root(),
                        plugins,
                        parts.records(),
                        parts.host(),
                        new StoreSecrets(parts.store()))
                .withNotes(volume -> StoreNotes.of(parts.store(), volume));
    }

    @Provides
    @Singleton
    static ControllerRuntime runtime(
            NodeParts parts,
            PluginRegistry plugins,
            NodeCallHandler calls,
            NodeNews news,
            VolumeManagerMetrics metrics,
            LoopMetrics loop) {
        NodeConfig config = NodeConfig.standalone(parts.node(), parts.bootId(), parts.root())
                .withSELinux(parts.host().capabilities().has(HostFeature.SELINUX));
        RuntimeOptions options = RuntimeOptions.defaults()
                .withName("node")
                .withCalls(parts.calls().apply(calls))
                .withListener(LoopListener.all(new DecisionLog(), metrics, loop, parts.listener()))
                .withEvents(parts.events());
        Adoption.Result found = Adopting.search(parts, config, plugins);
        return new ControllerRuntime(
                parts.store(),
                VolumeManager.controllers(config, plugins, parts.records().replay(), news, found),
                options);
    }
}
