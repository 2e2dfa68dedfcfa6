// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.config;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.composer.Composer;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;
import org.snakeyaml.engine.v2.parser.ParserImpl;
import org.snakeyaml.engine.v2.scanner.StreamReader;

/**
 * A configuration file, read: options of every command at the top, those of one command in a section of its name. Immutable.
 *
 * @param settings by section, the empty name for the top; what is wrong is left out
 * @param problems in the order of their lines
 */
public record ConfigFile(Map<String, List<Setting>> settings, List<Problem> problems) {
    /** Nothing set. */
    public static final ConfigFile EMPTY = new ConfigFile(Map.of(), List.of());

    /** Reads a text. */
    static ConfigFile read(String name, String text, ConfigSchema schema) {
        return new Reader(name, schema).read(text);
    }

    /**
     * Adds rules that the schema does not know: what is wrong with the several values of one key, from all sources.
     *
     * @param name the file's
     * @param judge is asked about the values of one section at a time
     */
    public List<Problem> judged(String name, String key, Function<List<Pair>, List<Objection>> judge) {
        List<Problem> found = new ArrayList<>();
        settings.forEach((section, all) -> all.stream()
                .filter(setting -> setting.key().equals(key))
                .forEach(setting -> judge.apply(setting.pairs())
                        .forEach(objection -> found.add(new Problem(
                                name + ":" + objection.line(),
                                (section.isEmpty() ? key : section + "." + key) + "." + objection.key(),
                                objection.rule())))));
        return List.copyOf(found);
    }

    /** The values of a command's option; its own section counts for more than the top. */
    Optional<Setting> find(String command, String key) {
        return find(settings.getOrDefault(command, List.of()), key)
                .or(() -> find(settings.getOrDefault("", List.of()), key));
    }

    private static Optional<Setting> find(List<Setting> settings, String key) {
        return settings.stream().filter(setting -> setting.key().equals(key)).findFirst();
    }

    /** Reads one text. Confined to one call. */
    private static final class Reader {
        private final String name;
        private final ConfigSchema schema;
        private final Map<String, List<Setting>> settings = new LinkedHashMap<>();
        private final List<Problem> problems = new ArrayList<>();

        Reader(String name, ConfigSchema schema) {
            this.name = name;
            this.schema = schema;
        }

        ConfigFile read(String text) {
            LoadSettings how = LoadSettings.builder()
                    .setLabel(name)
                    .setAllowNonScalarKeys(true)
                    .build();
            // Some editors begin a file with a byte order mark, which YAML takes for nothing.
            String content = text.startsWith("\uFEFF") ? text.substring(1) : text;
            try {
                new Composer(how, new ParserImpl(how, new StreamReader(how, content)))
                        .getSingleNode()
                        .ifPresent(this::top);
            } catch (MarkedYamlEngineException e) {
                int line = e.getProblemMark()
                        .or(e::getContextMark)
                        .map(mark -> mark.getLine() + 1)
                        .orElse(1);
                problems.add(new Problem(name + ":" + line, "", "must be one YAML document: " + words(e)));
            } catch (YamlEngineException e) {
                problems.add(new Problem(name, "", "must be one YAML document: " + e.getMessage()));
            }
            return new ConfigFile(settings, List.copyOf(problems));
        }

        private static String words(MarkedYamlEngineException e) {
            String context =
                    Optional.ofNullable(e.getContext()).map(text -> text + ", ").orElse("");
            return context + e.getProblem();
        }

        private void top(Node root) {
            if (isNothing(root)) {
                return;
            }
            if (!(root instanceof MappingNode mapping)) {
                problem(root, "", "must be a mapping of keys to values");
                return;
            }
            members(mapping, "").forEach((key, member) -> {
                if (schema.isSection(key)) {
                    section(key, member);
                } else {
                    option("", key, member);
                }
            });
        }

        private void section(String section, NodeTuple member) {
            Node value = member.getValueNode();
            if (value instanceof MappingNode mapping) {
                members(mapping, section).forEach((key, each) -> option(section, key, each));
            } else if (!isNothing(value)) {
                problem(member.getKeyNode(), section, "must be a mapping of keys to values");
            }
        }

        /** The members with plain keys, the first one of each key. */
        private Map<String, NodeTuple> members(MappingNode mapping, String section) {
            Map<String, NodeTuple> members = new LinkedHashMap<>();
            for (NodeTuple member : mapping.getValue()) {
                if (!(member.getKeyNode() instanceof ScalarNode key)) {
                    problem(member.getKeyNode(), section, "must have plain strings as keys");
                    continue;
                }
                NodeTuple first = members.putIfAbsent(key.getValue(), member);
                if (first != null) {
                    problem(
                            key,
                            path(section, key.getValue()),
                            "must not be set twice; it is set in line " + line(first.getKeyNode()));
                }
            }
            return members;
        }

        private void option(String section, String key, NodeTuple member) {
            Optional<String> unknown = schema.unknown(section, key);
            if (unknown.isPresent()) {
                problem(member.getKeyNode(), path(section, key), unknown.get());
                return;
            }
            if (schema.isMap(section, key)) {
                List<Pair> pairs = pairs(section, key, member.getValueNode());
                if (!pairs.isEmpty()) {
                    String text = pairs.stream().map(Pair::text).collect(Collectors.joining("\n"));
                    set(section, key, member, text, pairs);
                }
            } else {
                scalar(section, key, member.getValueNode())
                        .ifPresent(text -> set(section, key, member, text, List.of()));
            }
        }

        private void set(String section, String key, NodeTuple member, String value, List<Pair> pairs) {
            schema.objection(section, key, value)
                    .ifPresentOrElse(
                            rule -> problem(member.getKeyNode(), path(section, key), rule),
                            () -> settings.computeIfAbsent(section, any -> new ArrayList<>())
                                    .add(new Setting(key, value, line(member.getKeyNode()), pairs)));
        }

        private Optional<String> scalar(String section, String key, Node value) {
            if (isNothing(value)) {
                problem(value, path(section, key), "must have a value");
            } else if (value instanceof ScalarNode scalar) {
                return Optional.of(scalar.getValue());
            } else {
                String is = value instanceof SequenceNode ? "a list" : "a mapping";
                problem(value, path(section, key), "must be one value, not " + is);
            }
            return Optional.empty();
        }

        /** {@code {plugin: {name: value}}}; those that are wrong are left out. */
        private List<Pair> pairs(String section, String key, Node value) {
            List<Pair> pairs = new ArrayList<>();
            mapping(section, key, value).forEach((first, inner) -> {
                String path = key + "." + first;
                int line = line(inner.getKeyNode());
                mapping(section, path, inner.getValueNode())
                        .forEach((second, leaf) -> scalar(section, path + "." + second, leaf.getValueNode())
                                .ifPresent(text ->
                                        pairs.add(new Pair(first, line, second, text, line(leaf.getKeyNode())))));
            });
            return pairs;
        }

        private Map<String, NodeTuple> mapping(String section, String key, Node value) {
            if (value instanceof MappingNode mapping) {
                return members(mapping, path(section, key));
            }
            if (!isNothing(value)) {
                problem(value, path(section, key), "must be a mapping of keys to values");
            }
            return Map.of();
        }

        private static boolean isNothing(Node node) {
            return node.getTag().equals(Tag.NULL);
        }

        private static String path(String section, String key) {
            return section.isEmpty() ? key : section + "." + key;
        }

        private static int line(Node node) {
            return node.getStartMark().map(mark -> mark.getLine() + 1).orElse(1);
        }

        private void problem(Node at, String key, String rule) {
            problems.add(new Problem(name + ":" + line(at), key, rule));
        }
    }
}
