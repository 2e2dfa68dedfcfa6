// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.invariant;

import dev.mooring.runtime.control.Announcement;
import dev.mooring.runtime.control.Call;
import dev.mooring.storage.codec.KubernetesYaml;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolume;
import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** A world in which nothing happens but what a test says, held against all of Mooring's invariants; it remembers which of them broke. */
final class HandMadeWorld implements WorldView {
    private final Map<Kind<?>, Map<ObjectKey, KubernetesObject>> objects = new HashMap<>();
    private final Map<String, PersistentVolume> known = new TreeMap<>();
    private final Map<String, Set<String>> attached = new TreeMap<>();
    private final Map<String, Set<String>> staged = new TreeMap<>();
    private final Map<String, Set<String>> published = new TreeMap<>();
    private final List<Invariant> rules = Invariants.standard();
    private final Set<String> broken = new LinkedHashSet<>();
    private Duration elapsed = Duration.ZERO;

    /** The rules that broke so far, each once. */
    Set<String> broken() {
        return broken;
    }

    private void found(String rule, String about) {
        broken.add(rule);
    }

    /** A user writes an object. */
    HandMadeWorld user(String yaml) {
        return write("user", yaml);
    }

    /** The controllers write an object. */
    HandMadeWorld ours(String yaml) {
        return write("controllers", yaml);
    }

    private HandMadeWorld write(String client, String yaml) {
        Document document = KubernetesYaml.standard().read(yaml, "test");
        written(
                client,
                Kinds.standard().byKindName(document.text("kind").orElseThrow()).orElseThrow(),
                document);
        return this;
    }

    @SuppressWarnings("unchecked") // a map of a kind holds objects of that kind
    private <T extends KubernetesObject> void written(String client, Kind<T> kind, Document document) {
        T after = kind.read(document);
        ObjectKey key = ObjectKey.of(after);
        if (after instanceof PersistentVolume volume) {
            known.put(key.name(), volume);
        }
        Optional<T> before = Optional.ofNullable((T) of(kind).put(key, after));
        ObjectWrite<T> write = new ObjectWrite<>(client, kind, key, before, Optional.of(after));
        rules.forEach(rule -> rule.written(this, write, this::found));
    }

    /** Time passes. */
    HandMadeWorld later() {
        elapsed = elapsed.plusSeconds(1);
        return this;
    }

    /** A volume is really attached to a node. */
    HandMadeWorld attach(String volume, String node) {
        attached.computeIfAbsent(volume, name -> new TreeSet<>()).add(node);
        return this;
    }

    /** A volume is really staged on a node. */
    HandMadeWorld stage(String volume, String node) {
        staged.computeIfAbsent(volume, name -> new TreeSet<>()).add(node);
        return this;
    }

    /** A volume is really shown to a pod. */
    HandMadeWorld publish(String volume, String node, String podUid) {
        published.computeIfAbsent(volume + " " + node, name -> new TreeSet<>()).add(podUid);
        return this;
    }

    /** A call is about to be made. */
    HandMadeWorld calls(Call call) {
        rules.forEach(rule -> rule.calling(this, call, this::found));
        return this;
    }

    /** People are told something. */
    HandMadeWorld tells(Announcement news) {
        rules.forEach(rule -> rule.told(this, news, this::found));
        return this;
    }

    /** A step has been made. */
    HandMadeWorld step() {
        rules.forEach(rule -> rule.step(this, this::found));
        return this;
    }

    /** The world has come to rest. */
    HandMadeWorld rest() {
        rules.forEach(rule -> rule.atRest(this, this::found));
        return this;
    }

    @Override
    public Duration undisturbed() {
        return elapsed();
    }

    @Override
    public Duration elapsed() {
        return elapsed;
    }

    private Map<ObjectKey, KubernetesObject> of(Kind<?> kind) {
        return objects.computeIfAbsent(kind, any -> new TreeMap<>());
    }

    @Override
    @SuppressWarnings("unchecked") // a map of a kind holds objects of that kind
    public <T extends KubernetesObject> Collection<T> all(Kind<T> kind) {
        return Collections.unmodifiableCollection((Collection<T>) of(kind).values());
    }

    @Override
    @SuppressWarnings("unchecked") // a map of a kind holds objects of that kind
    public <T extends KubernetesObject> Optional<T> find(Kind<T> kind, ObjectKey key) {
        return Optional.ofNullable((T) of(kind).get(key));
    }

    @Override
    public boolean isUp(String node) {
        return true;
    }

    @Override
    public Set<String> attachedTo(String volume) {
        return new TreeSet<>(attached.getOrDefault(volume, Set.of()));
    }

    @Override
    public Set<String> mountedOn(String volume) {
        Set<String> nodes = new TreeSet<>(staged.getOrDefault(volume, Set.of()));
        published.keySet().stream()
                .filter(where -> where.startsWith(volume + " "))
                .forEach(where -> nodes.add(where.substring(volume.length() + 1)));
        return nodes;
    }

    @Override
    public boolean stagedOn(String volume, String node) {
        return staged.getOrDefault(volume, Set.of()).contains(node);
    }

    @Override
    public Set<String> publishedTo(String volume, String node) {
        return new TreeSet<>(published.getOrDefault(volume + " " + node, Set.of()));
    }

    @Override
    public long contentOf(String volume) {
        return 0;
    }

    @Override
    public boolean liedAbout(String volume) {
        return false;
    }

    @Override
    public boolean actsOutOfTerm() {
        return false;
    }

    @Override
    public Optional<PersistentVolume> everKnown(String volume) {
        return Optional.ofNullable(known.get(volume));
    }
}
