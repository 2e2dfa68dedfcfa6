// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution;

import dev.mooring.distribution.config.Objection;
import dev.mooring.distribution.config.Pair;
import dev.mooring.distribution.wiring.PluginSettings;
import dev.mooring.storage.spi.StoragePlugin;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** What plugins find wrong with their settings: each is asked as it would be at a start. */
final class SettingObjections implements Function<List<Pair>, List<Objection>> {
    private final Supplier<List<StoragePlugin>> plugins;
    private Optional<List<StoragePlugin>> loaded = Optional.empty();

    /**
     * Objections that load the plugins once, and not before there is a setting to be judged.
     *
     * @param plugins loads them
     */
    SettingObjections(Supplier<List<StoragePlugin>> plugins) {
        this.plugins = plugins;
    }

    /**
     * What must hold instead of some settings; empty if nothing is wrong with them. What fails in loading the plugins is thrown: it says
     * nothing about a setting.
     */
    @Override
    public List<Objection> apply(List<Pair> settings) {
        Map<String, List<Pair>> byPlugin =
                settings.stream().collect(Collectors.groupingBy(Pair::group, LinkedHashMap::new, Collectors.toList()));
        List<Objection> found = new ArrayList<>();
        byPlugin.values().forEach(own -> found.addAll(objections(own)));
        return found;
    }

    /** A plugin reports one mistake at a time, so it is asked again without the wrong setting, until no mistake is left. */
    private List<Objection> objections(List<Pair> own) {
        Pair first = own.get(0);
        if (installed().stream()
                .noneMatch(each -> each.describe().name().value().equals(first.group()))) {
            String rule = "no plugin " + first.group() + " is installed";
            return List.of(new Objection(first.groupLine(), first.group(), rule));
        }
        List<Objection> found = new ArrayList<>();
        List<Pair> left = new ArrayList<>(own);
        Optional<String> rule = rule(left);
        while (rule.isPresent()) {
            String told = rule.get();
            Optional<Pair> culprit = culprit(left, told);
            found.add(culprit.map(pair -> new Objection(pair.line(), pair.group() + "." + pair.name(), told))
                    .orElseGet(() -> new Objection(first.groupLine(), first.group(), told)));
            if (culprit.isEmpty()) {
                break;
            }
            left.remove(culprit.get());
            rule = rule(left);
        }
        return found;
    }

    /** The setting without which the objection changes or goes; of several the one that it names. */
    private Optional<Pair> culprit(List<Pair> settings, String told) {
        List<Pair> candidates = settings.stream()
                .filter(pair -> !rule(without(settings, pair)).equals(Optional.of(told)))
                .toList();
        return candidates.stream()
                .filter(pair -> told.contains(pair.name()))
                .findFirst()
                .or(() -> candidates.stream().findFirst());
    }

    private static List<Pair> without(List<Pair> settings, Pair one) {
        return settings.stream().filter(pair -> !pair.equals(one)).toList();
    }

    /** What a plugin says of settings, which all are its own; nothing where there are none. */
    private Optional<String> rule(List<Pair> own) {
        if (own.isEmpty()) {
            return Optional.empty();
        }
        Map<String, String> settings = new LinkedHashMap<>();
        own.forEach(pair -> settings.put(pair.name(), pair.value()));
        List<StoragePlugin> installed = installed();
        try {
            PluginSettings.apply(installed, Map.of(own.get(0).group(), settings));
            return Optional.empty();
        } catch (RuntimeException | LinkageError e) {
            return Optional.of(Optional.ofNullable(e.getMessage()).orElse(e.toString()));
        }
    }

    private List<StoragePlugin> installed() {
        List<StoragePlugin> all = loaded.orElseGet(plugins);
        loaded = Optional.of(all);
        return all;
    }
}
