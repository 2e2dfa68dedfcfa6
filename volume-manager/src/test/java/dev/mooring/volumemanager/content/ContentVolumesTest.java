// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.content;

import static dev.mooring.volumemanager.machine.Playground.kindOf;
import static dev.mooring.volumemanager.machine.Playground.modeAndGroup;
import static dev.mooring.volumemanager.machine.Playground.value;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.clusterstore.IdSource;
import dev.mooring.clusterstore.MemoryClusterStore;
import dev.mooring.clusterstore.StoreOptions;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.ConfigMap;
import dev.mooring.storage.model.Container;
import dev.mooring.storage.model.HiddenText;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.ObjectMeta;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.PodSecurityContext;
import dev.mooring.storage.model.PodSpec;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.model.Secret;
import dev.mooring.storage.model.VolumeMode;
import dev.mooring.storage.model.VolumeSource;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PluginState;
import dev.mooring.storage.spi.PodRef;
import dev.mooring.storage.spi.PublishRequest;
import dev.mooring.storage.spi.PublishRequest.Occasion;
import dev.mooring.storage.spi.Publishing;
import dev.mooring.storage.spi.SecretValue;
import dev.mooring.storage.spi.StoragePlugin;
import dev.mooring.storage.spi.VolumeId;
import dev.mooring.storage.spi.VolumeSpec;
import dev.mooring.storage.spi.host.HostFeature;
import dev.mooring.storage.store.Change;
import dev.mooring.storage.store.DeleteOptions;
import dev.mooring.volumemanager.machine.Playground;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ContentVolumesTest {
    private final BlockingQueue<String> changes = new LinkedBlockingQueue<>();
    private Playground machine;
    private MemoryClusterStore store;
    private ContentFeed feed;
    private PodRef pod;
    private TokenSource tokens = TokenSource.NONE;

    @BeforeEach
    void makesAPod() {
        machine = new Playground(HostFeature.ROOT, HostFeature.RESOLVE_RULES, HostFeature.MOUNT_IDENTITY);
        store = new MemoryClusterStore(
                StoreOptions.of(Kinds.standard(), Clock.systemUTC(), IdSource.random(new Random(1))));
        feed = new ContentFeed(store);
        feed.onChange(changes::add);
        PodSpec spec = PodSpec.EMPTY
                .withContainers(List.of(new Container("main", "registry.example.com/app:1", List.of(), List.of())))
                .withSecurityContext(Optional.of(PodSecurityContext.EMPTY.withFsGroup(Optional.of(4711L))));
        Pod made = store.create(Kinds.POD, Pod.of("ns", "web", spec)).orThrow();
        pod = new PodRef("ns", "web", made.metadata().uid());
        config("one");
        store.create(
                        Kinds.SECRET,
                        new Secret(
                                ObjectMeta.named("ns", "secret"),
                                "Opaque",
                                Map.of("key", new HiddenText("aHVzaA==")),
                                Optional.empty()))
                .orThrow();
    }

    @AfterEach
    void cleans() throws IOException {
        if (machine != null) {
            feed.close();
            store.close();
            machine.close();
        }
    }

    private void config(String text) {
        store.create(
                        Kinds.CONFIG_MAP,
                        new ConfigMap(
                                ObjectMeta.named("ns", "config"), Map.of("key", text), Map.of(), Optional.empty()))
                .orThrow();
    }

    private void change(String text) {
        ConfigMap now =
                store.get(Kinds.CONFIG_MAP, ObjectKey.of("ns", "config")).orThrow();
        store.update(Kinds.CONFIG_MAP, new Change<>(now, now.withData(Map.of("key", text))))
                .orThrow();
    }

    private Path target(String type) {
        machine.directory("root/pods/uid/volumes/" + type);
        return machine.base.resolve("root/pods/uid/volumes/" + type + "/vol");
    }

    private Publishing plugin(String type) {
        StoragePlugin found = ContentVolumes.all(feed, tokens).stream()
                .filter(plugin -> plugin.describe().sourceTypes().contains(type))
                .findFirst()
                .orElseThrow();
        return (Publishing) found;
    }

    private Outcome<PluginState> publish(String type, Map<String, ?> attributes) {
        VolumeSpec spec = new VolumeSpec(
                "vol",
                "",
                new VolumeSource(type, Document.of(attributes)),
                List.of(),
                VolumeMode.FILESYSTEM,
                Quantity.ZERO,
                List.of(),
                Map.of());
        return plugin(type)
                .publish(
                        machine.context(),
                        new PublishRequest(spec, pod, target(type), Optional.empty(), true, Occasion.INITIAL));
    }

    private void unpublish(String type, PluginState state) {
        VolumeId id = ((StoragePlugin) plugin(type)).identify(new VolumeSource(type, Document.empty()));
        value(plugin(type).unpublish(machine.context(), id, pod, target(type), state));
    }

    private String changed() throws InterruptedException {
        return Optional.ofNullable(changes.poll(240, TimeUnit.SECONDS)).orElse("nothing");
    }

    @Test
    void aConfigMapIsShownOnDiskAndGoes() throws IOException {
        PluginState state = value(publish("configMap", Map.of("name", "config")));
        Path file = target("configMap").resolve("key");
        assertThat(file).hasContent("one");
        assertThat(modeAndGroup(file.toRealPath())).isEqualTo("644 4711");
        assertThat(machine.mountsBelow(machine.base)).isEmpty();
        unpublish("configMap", state);
        assertThat(target("configMap")).doesNotExist();
        unpublish("configMap", state);
        assertThat(feed.size()).isZero();
    }

    @Test
    void whatMayBeSecretIsShownInMemoryAndGoes() {
        Map<String, Map<String, ?>> sources = Map.of(
                "secret", Map.of("secretName", "secret"),
                "downwardAPI",
                        Map.of(
                                "items",
                                List.of(Map.of("path", "key", "fieldRef", Map.of("fieldPath", "metadata.name")))),
                "projected", Map.of("sources", List.of(Map.of("secret", Map.of("name", "secret")))));
        sources.forEach((type, source) -> {
            value(publish(type, source));
            assertThat(target(type).resolve("key")).content().isIn("hush", "web");
            assertThat(machine.mountsAt(target(type)))
                    .singleElement()
                    .satisfies(entry -> assertThat(entry.fsType()).isEqualTo("tmpfs"));
            // the answer of the publish may have been lost
            unpublish(type, PluginState.NONE);
            assertThat(target(type)).doesNotExist();
        });
    }

    @Test
    void noStateHoldsASecret() {
        assertThat(value(publish("secret", Map.of("secretName", "secret"))).content())
                .doesNotContain("hush")
                .doesNotContain("aHVzaA");
    }

    @Test
    void e6_aChangeIsToldAndShownByTheNextPublish() throws Exception {
        value(publish("configMap", Map.of("name", "config")));
        change("two");
        assertThat(changed()).isEqualTo(pod.uid());
        value(publish("configMap", Map.of("name", "config")));
        assertThat(target("configMap").resolve("key")).hasContent("two");
        change("three");
        assertThat(changed()).isEqualTo(pod.uid());
        assertThat(feed.size()).isEqualTo(1);
    }

    @Test
    void whatIsMissingIsFollowedUntilItAppears() throws Exception {
        store.delete(Kinds.CONFIG_MAP, ObjectKey.of("ns", "config"), DeleteOptions.DEFAULT)
                .orThrow();
        Outcome<PluginState> missing = publish("configMap", Map.of("name", "config"));
        assertThat(kindOf(missing)).isEqualTo("NOT_FOUND");
        assertThat(missing.message()).isEqualTo("configmap \"config\" not found");
        config("late");
        assertThat(changed()).isEqualTo(pod.uid());
        value(publish("configMap", Map.of("name", "config")));
        assertThat(target("configMap").resolve("key")).hasContent("late");
    }

    @Test
    void whatIsImmutableIsReadOnce() {
        ConfigMap now =
                store.get(Kinds.CONFIG_MAP, ObjectKey.of("ns", "config")).orThrow();
        store.update(Kinds.CONFIG_MAP, new Change<>(now, now.withImmutable(Optional.of(true))))
                .orThrow();
        value(publish("configMap", Map.of("name", "config")));
        assertThat(feed.size()).isZero();
    }

    @Test
    void objectsOfOthersAreNotFollowed() {
        value(publish("configMap", Map.of("name", "config")));
        store.create(
                        Kinds.CONFIG_MAP,
                        new ConfigMap(ObjectMeta.named("ns", "other"), Map.of(), Map.of(), Optional.empty()))
                .orThrow();
        assertThat(feed.size()).isEqualTo(1);
        assertThat(changes).isEmpty();
    }

    @Test
    void aTokenComesFromTheEmbedderOrIsRefused() {
        Map<String, ?> source =
                Map.of("sources", List.of(Map.of("serviceAccountToken", Map.of("path", "token", "audience", "vault"))));
        Outcome<PluginState> without = publish("projected", source);
        assertThat(kindOf(without)).isEqualTo("UNSUPPORTED");
        assertThat(without.message()).contains("serviceAccountToken");
        assertThat(target("projected")).doesNotExist();
        tokens = (reader, account, audience, life) -> Outcome.done(new SecretValue(
                (account + " " + audience.orElse("") + life.toSeconds()).getBytes(StandardCharsets.UTF_8)));
        value(publish("projected", source));
        assertThat(target("projected").resolve("token")).hasContent("default vault3600");
    }

    private static Map<String, ?> token(Map<String, ?> fields) {
        Map<String, Object> all = new HashMap<>(fields);
        all.put("path", "token");
        return Map.of("sources", List.of(Map.of("serviceAccountToken", all)));
    }

    @Test
    void aTokenWithoutAnAudienceIsForTheApiServer() {
        tokens = (reader, account, audience, life) ->
                Outcome.done(new SecretValue(audience.orElse("absent").getBytes(StandardCharsets.UTF_8)));
        value(publish("projected", token(Map.of("audience", ""))));
        assertThat(target("projected").resolve("token")).hasContent("absent");
    }

    @Test
    void aTokenIsGoodForASpanThatTheApiServerWouldTake() {
        tokens = (reader, account, audience, life) ->
                Outcome.done(new SecretValue(life.toString().getBytes(StandardCharsets.UTF_8)));
        for (long seconds : List.of(599L, (1L << 32) + 1, Long.MAX_VALUE)) {
            Outcome<PluginState> outcome = publish("projected", token(Map.of("expirationSeconds", seconds)));
            assertThat(kindOf(outcome)).as("%d s", seconds).isEqualTo("INVALID");
        }
        value(publish("projected", token(Map.of("expirationSeconds", 1L << 32))));
    }

    @Test
    void aPodThatHasGoneGetsNothing() {
        PodRef now = pod;
        pod = new PodRef("ns", "web", "another-uid");
        assertThat(kindOf(publish("configMap", Map.of("name", "config")))).isEqualTo("NOT_FOUND");
        pod = now;
    }

    @Test
    void whatAPodPutsIntoTheDirectoryGoesWithIt() throws IOException {
        PluginState state = value(publish("configMap", Map.of("name", "config")));
        Path outside = machine.file("outside/file", "stays").getParent();
        Files.createSymbolicLink(target("configMap").resolve("link"), outside);
        unpublish("configMap", state);
        assertThat(target("configMap")).doesNotExist();
        assertThat(outside.resolve("file")).hasContent("stays");
    }
}
